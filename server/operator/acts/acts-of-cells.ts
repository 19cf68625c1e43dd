/** Acts about cells, which serve the ads of some publishers. Only the command line has them. */
import { z } from 'zod';
import { settingForm } from '#domain/operator/forms.ts';
import { addCell, assignCell, removeCell, rotateCell } from '../cells/cells.ts';
import { type Input, UsageError } from './command.ts';
import { PERSON } from './act-targets.ts';
import { defineAct, type TargetKind } from './define-act.ts';

const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
const origin = z
  .url({ protocol: /^https?$/ })
  .refine((value) => new URL(value).pathname === '/' && !value.includes('?'))
  .transform((value) => new URL(value).origin);

/** A command has no path of a form. */
const NO_FORM = { inPath: () => ({ name: '', deliveryUrl: '' }) };

const NEW_CELL: TargetKind<{ name: string; deliveryUrl: string }> = {
  ...NO_FORM,
  takes: 'NAME --delivery-url URL',
  inWords: ({ args: [name = ''], options }: Input) => {
    if (!NAME.test(name))
      throw new UsageError('Name the cell with small letters, digits and hyphens, such as “north”.');
    const deliveryUrl = origin.safeParse(options.deliveryUrl);
    if (!deliveryUrl.success)
      throw new UsageError(
        '--delivery-url must be the address of the cell without a path, such as https://north.market.example.com.',
      );
    return { name, deliveryUrl: deliveryUrl.data };
  },
};

export const ADD_CELL = defineAct({
  summary: 'Add a cell. Prints its key, once',
  right: 'owner',
  of: NEW_CELL,
  fields: settingForm,
  run: addCell,
  forms: [],
  command: {
    words: 'cell add',
    reason: '',
    says: ({ name, key }) =>
      `Added the cell ${name}. Start its servers with ROLE=cell and this CELL_KEY, which is not shown again: ${key}`,
  },
});

export const ASSIGN_CELL = defineAct({
  summary: 'Let a cell serve the ads of a publisher without an ad zone',
  right: 'owner',
  of: { ...PERSON, takes: 'EMAIL' },
  fields: settingForm.extend({ cellName: z.string('Name the cell.') }),
  run: assignCell,
  forms: [],
  command: {
    words: 'cell assign',
    takes: 'NAME',
    fields: ([, cellName]) => ({ cellName }),
    reason: '',
    says: ({ name, cell }) => `The ad zones of ${name} will be served by the cell ${cell}.`,
  },
});

const CELL: TargetKind<{ name: string }> = {
  inPath: () => ({ name: '' }),
  takes: 'NAME',
  inWords: ({ args: [name] }: Input) => {
    if (name === undefined) throw new UsageError('Name the cell.');
    return { name };
  },
};

export const ROTATE_CELL = defineAct({
  summary: 'Replace the key of a cell. Prints the new one, once; the former one ends at once',
  right: 'owner',
  of: CELL,
  fields: settingForm,
  run: rotateCell,
  forms: [],
  command: {
    words: 'cell rotate',
    reason: '',
    says: ({ name, key }) =>
      `The former key of the cell ${name} has ended. Restart its servers with this CELL_KEY, which is not shown again: ${key}`,
  },
});

export const REMOVE_CELL = defineAct({
  summary: 'Remove a cell that serves no ad zone. --lost gives up figures that it has not sent',
  right: 'owner',
  of: {
    inPath: () => ({ name: '', isLost: false }),
    takes: 'NAME [--lost]',
    inWords: async (input: Input) => ({
      ...(await CELL.inWords(input)),
      isLost: input.options.lost ?? false,
    }),
  },
  fields: settingForm,
  run: removeCell,
  forms: [],
  command: {
    words: 'cell remove',
    reason: '',
    says: ({ name }) =>
      `Removed the cell ${name}. The marketplace serves the next ad zones of its publishers. Stop the servers of the cell.`,
  },
});

export const CELL_ACTS = [ADD_CELL, ASSIGN_CELL, ROTATE_CELL, REMOVE_CELL];

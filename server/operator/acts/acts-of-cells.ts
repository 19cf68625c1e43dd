/** Acts about cells, which serve the ads of some publishers. Only the command line has them. */
import { z } from 'zod';
import { settingForm } from '#domain/operator/forms.ts';
import { addCell, assignCell } from '../cells/cells.ts';
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
        '--delivery-url must be the address of the cell without a path, such as https://north.ads.example.com.',
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

export const CELL_ACTS = [ADD_CELL, ASSIGN_CELL];

import { counted } from '#domain/format.ts';
import { cells } from '../../cells/marketplace/manage.ts';
import { at, type Command } from '../acts/command.ts';

export const CELL_COMMANDS: Readonly<Record<string, Command>> = {
  'cell list': {
    usage: '',
    summary: 'List the cells, and how far their figures are behind',
    run: async ({ ctx }) => {
      const list = await cells(ctx);
      return {
        json: { cells: list },
        lines:
          list.length === 0
            ? ['There is no cell. Add one: openslot cell add NAME --delivery-url URL']
            : list.map(
                ({ name, deliveryUrl, release, publishers, seen, behindSeconds }) =>
                  `${name}  ${deliveryUrl}  ${counted(publishers, 'publisher')}  ${
                    seen === null
                      ? 'never seen'
                      : `seen ${at(seen)}, ${release ?? 'nothing sent yet'}, figures ${behindSeconds === null ? 'not complete yet' : `${behindSeconds} s behind`}`
                  }`,
              ),
      };
    },
  },
};

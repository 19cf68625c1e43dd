/** The commands `openslot settings list` and `get`. Those that change a setting are acts. */
import { taxTableFile } from '#domain/payments/tax-table.ts';
import { SETTING } from '../acts/act-targets.ts';
import type { Command } from '../acts/command.ts';
import { listSettings, type ShownSetting } from '../settings/settings.ts';

const shown = ({ name, value, source }: ShownSetting) => ({ name, value, source });
const oneLine = (value: string | null) => value?.replaceAll('\n', '\\n') ?? '';

export const SETTINGS_COMMANDS: Readonly<Record<string, Command>> = {
  'settings list': {
    usage: '',
    summary: 'List the settings that can be changed while the servers run',
    run: async ({ ctx }) => {
      const settings = (await listSettings(ctx)).map(shown);
      return {
        json: { settings },
        lines: settings.map(({ name, value, source }) =>
          `${name.padEnd(24)} ${source.padEnd(11)} ${oneLine(value)}`.trimEnd(),
        ),
      };
    },
  },
  'settings get': {
    usage: SETTING.takes,
    summary: 'Print one of them',
    run: async (input) => {
      const { name } = await SETTING.inWords(input);
      const setting = (await listSettings(input.ctx)).find((each) => each.name === name)!;
      return { json: shown(setting), lines: [oneLine(setting.value)] };
    },
  },
  'tax show': {
    usage: '',
    summary: 'Print the table of tax rates in force, as a file for tax set',
    run: async ({ ctx: { config } }) => {
      const table = config.taxTable && taxTableFile(config.taxTable);
      return await Promise.resolve({
        json: { source: config.hasTaxFile ? 'file' : table ? 'database' : 'none', table },
        lines: table ? JSON.stringify(table, null, 2).split('\n') : ['No tax is shown.'],
      });
    },
  },
};

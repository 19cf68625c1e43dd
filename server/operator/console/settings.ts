import { listMarketplaceSettings, type SettingInput } from '#domain/operator/console/settings-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { aboutSetting, type MarketplaceSetting } from '#server/platform/settings/marketplace.ts';
import { listSettings } from '../settings/settings.ts';

export const settingRoutes: Route[] = [
  route(listMarketplaceSettings, { access: 'operator' }, async (ctx) => ({
    settings: (await listSettings(ctx)).map((setting) => {
      const { group, title, help, choices = [] } = aboutSetting(setting.name);
      return { ...setting, group, title, help, input: inputOf(setting.name), choices: [...choices] };
    }),
  })),
];

function inputOf(name: MarketplaceSetting): SettingInput {
  const { input, choices } = aboutSetting(name);
  if (input !== undefined) return input;
  if (choices === undefined) return 'line';
  return choices.join() === 'on,off' ? 'switch' : 'choice';
}

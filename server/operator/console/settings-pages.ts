/** The pages with the settings of the marketplace, and with its tax table. */
import { countryName } from '#domain/countries.ts';
import { percentOf, ruleOn, type TaxRule, type TaxRules, type TaxTable } from '#domain/payments/tax.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { brandAddress, pictureIn, sizeIn } from '#server/platform/brand/pictures.ts';
import { aboutSetting } from '#server/platform/settings/marketplace.ts';
import { SET_SETTING, UNSET_SETTING } from '../acts/acts-of-settings.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import { isPictureSetting } from '../settings/pictures.ts';
import type { ShownSetting } from '../settings/settings.ts';
import type { ConsolePage } from './console.ts';
import { hidden, input, select, textarea } from '#server/platform/http/page/form.ts';
import { day, fact, facts, lines, rows } from '#server/platform/http/page/parts.ts';
import { confirmFirst, isReady, OPTIONAL_REASON, type Viewer } from './markup.ts';

const SOURCES: Record<ShownSetting['source'], string> = {
  default: 'The default',
  database: 'Set here, or with openslot settings',
  environment: 'Set in the environment of the server',
};

/** `refused` is what the operator typed into a form that was refused, by the name of its setting. */
export function settingsPage(
  settings: readonly ShownSetting[],
  refused: Readonly<Record<string, string>>,
  viewer: Viewer,
): ConsolePage {
  return {
    title: 'Settings',
    main: html`<h1>Settings</h1>
<p class="quiet">Every running server follows a change within two seconds, and the audit trail keeps it. What a server needs to start stays in its environment.</p>
${confirmFirst(viewer, formOf(SET_SETTING), 'change settings')}
${rows(
  settings.map((setting) => settingRow(setting, refused[setting.name], isReady(viewer, formOf(SET_SETTING)))),
  '',
)}`,
  };
}

function settingRow(setting: ShownSetting, typed: string | undefined, isConfirmed: boolean): Markup {
  const { name, value, source } = setting;
  const { title, help } = aboutSetting(name);
  const isOpen = typed !== undefined;
  return html`<strong id="${name}">${title}</strong>
<span>${value === null ? 'Not set' : isPictureSetting(name) ? picture(value) : html`<bdi>${lines(value)}</bdi>`}</span>
<span class="quiet"><code>${name}</code>. ${SOURCES[source]}</span>
<span class="quiet" id="${name}-help">${help}</span>
${source === 'environment' && html`<span class="quiet">To change it here, remove it from the environment and restart the server.</span>`}
${
  source !== 'environment' &&
  isConfirmed &&
  html`<details${isOpen && html` open`}><summary aria-label="Change: ${title}">Change</summary>${settingForm(setting, typed ?? value ?? '')}</details>`
}`;
}

/** A logo has to be readable on the ground of both themes. */
function picture(file: string): Markup {
  const { width, height } = sizeIn(pictureIn(file)!, { width: 240, height: 48 });
  const ground = (name: string, word: string) =>
    html`<span class="ground ${name}"><img src="${brandAddress(file)}" width="${width}" height="${height}" alt="On ${word} ground"></span> `;
  return html`${ground('light', 'light')}${ground('dark', 'dark')}`;
}

function settingForm({ name, source, version }: ShownSetting, text: string): Markup {
  const ids = { name };
  const unset = formOf(UNSET_SETTING);
  return html`<form method="post" action="${addressOf(formOf(SET_SETTING), ids)}"${isPictureSetting(name) && html` enctype="multipart/form-data"`}>
${hidden('version', version)}${valueField(name, text)}${input({ ...OPTIONAL_REASON, id: `${name}-reason` })}<p class="actions"><button class="button">${formOf(SET_SETTING).button}</button>
${source === 'database' && html`<button class="button second" formaction="${addressOf(unset, ids)}" formnovalidate>${unset.button}</button>`}</p></form>`;
}

function valueField(name: ShownSetting['name'], text: string): Markup {
  const { choices, input: kind } = aboutSetting(name);
  const more = html`aria-describedby="${name}-help"`;
  const field = {
    id: `${name}-value`,
    name: 'value',
    label: 'New value',
    value: text,
    isRequired: true,
    more,
  };
  if (choices) return select({ ...field, options: choices.map((choice) => [choice, choice]) });
  if (kind === 'lines') return textarea(field);
  if (kind !== 'file') return input({ ...field, more: html`${more} autocomplete="off"` });
  const accept = html`${more} accept=".svg,.png,image/svg+xml,image/png"`;
  return input({ ...field, name: 'file', label: 'File', type: 'file', value: undefined, more: accept });
}

// The page about the tax table, which can only be read there.

/** `today` is YYYY-MM-DD in `timeZone`, in which new rates begin at midnight. */
export function taxPage(
  table: TaxTable | null,
  { today, timeZone }: { today: string; timeZone: string },
): ConsolePage {
  return {
    title: 'Tax rates',
    main: html`<h1>Tax rates</h1>
${
  table === null
    ? html`<p>No tax is shown in prices and documents. To show it, name a file of rates in <code>TAX_RATES_FILE</code>, and restart the server.</p>`
    : html`<p class="quiet">Prices contain these rates. To change them, edit the file of <code>TAX_RATES_FILE</code>, and restart the server. The <a href="/operator/audit">audit trail</a> has each change.</p>
${facts(
  fact('Your country', table.seller === null ? 'Not named in the file' : countryName(table.seller)),
  fact('New rates begin', `At midnight, ${timeZone}`),
)}
${rows(rulesOf(table).map(([name, rules]) => countryRow(name, rules, today)))}`
}`,
  };
}

function rulesOf({ countries, default: others }: TaxTable): [name: string, rules: TaxRules][] {
  const named = Object.entries(countries).map(([country, rules]): [string, TaxRules] => [
    countryName(country),
    rules,
  ]);
  return [
    ...named.toSorted(([one], [other]) => one.localeCompare(other, 'en')),
    ...(others === null ? [] : [['All other countries', others] satisfies [string, TaxRules]]),
  ];
}

function countryRow(name: string, rules: TaxRules, today: string): Markup {
  const present = ruleOn(rules, today);
  const coming = rules.slice(rules.indexOf(present) + 1);
  return html`<strong>${name}: ${percentOf(present.rate)}%</strong>${termsOf(present)}${coming.map(
    (rule) =>
      html`<span>From ${day(new Date(`${rule.from}T00:00:00Z`))}: ${percentOf(rule.rate)}%</span>${termsOf(rule)}`,
  )}`;
}

function termsOf({ business, reason, sentence }: TaxRule): Markup | false {
  const terms = [
    business === 'reverse_charge' && 'Businesses with a tax number pay no tax (reverse charge).',
    reason !== null && 'Not taxed.',
    sentence !== null && html`Documents say: <bdi>${sentence}</bdi>`,
  ].filter((term) => term !== false);
  return (
    terms.length > 0 &&
    html`<span class="quiet">${terms.map((term, at) => html`${at > 0 && ' '}${term}`)}</span>`
  );
}

/** The page with the settings of the marketplace. */
import { html, type Markup } from '#server/platform/http/html.ts';
import { brandAddress, pictureIn, sizeIn } from '#server/platform/brand/pictures.ts';
import { aboutSetting } from '#server/platform/settings/marketplace.ts';
import { SET_SETTING, UNSET_SETTING } from '../acts/acts-of-settings.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import { isPictureSetting } from '../settings/pictures.ts';
import type { ShownSetting } from '../settings/settings.ts';
import type { ConsolePage } from './console.ts';
import { hidden, input, select, textarea } from '#server/platform/http/page/form.ts';
import { lines, rows } from '#server/platform/http/page/parts.ts';
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

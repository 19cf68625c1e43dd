/** The page with the settings of the marketplace. */
import { MAX_SETTING_REASON } from '#domain/operator/forms.ts';
import { html, type Markup } from '../../http/html.ts';
import { brandAddress, pictureIn, sizeIn } from '../../brand/pictures.ts';
import { aboutSetting } from '../../settings/marketplace.ts';
import { SET_SETTING, UNSET_SETTING } from '../acts/acts-of-settings.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import { isPictureSetting } from '../settings/pictures.ts';
import type { ShownSetting } from '../settings/settings.ts';
import type { View } from './console.ts';
import { confirmFirst, isReady, rows, type Viewer } from './markup.ts';

const SOURCES: Record<ShownSetting['source'], string> = {
  default: 'The default',
  database: 'Set here, or with openslot settings',
  environment: 'Set in the environment of the server',
};

/** `refused` is what the operator typed into a form that was refused, by the name of its setting. */
export function settingsView(
  settings: readonly ShownSetting[],
  refused: Readonly<Record<string, string>>,
  viewer: Viewer,
): View {
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
<span>${value === null ? 'Not set' : isPictureSetting(name) ? picture(value) : html`<bdi>${withBreaks(value)}</bdi>`}</span>
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

const withBreaks = (text: string) => text.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`);

function settingForm({ name, source, version }: ShownSetting, text: string): Markup {
  const ids = { name };
  const unset = formOf(UNSET_SETTING);
  return html`<form method="post" action="${addressOf(formOf(SET_SETTING), ids)}"${isPictureSetting(name) && html` enctype="multipart/form-data"`}>
<input type="hidden" name="version" value="${version}">
<div class="field"><label for="${name}-value">${isPictureSetting(name) ? 'File' : 'New value'}</label>
${valueField(name, text)}</div>
<div class="field"><label for="${name}-reason">Reason (optional)</label>
<input id="${name}-reason" name="reason" maxlength="${MAX_SETTING_REASON}" dir="auto"></div>
<p class="actions"><button class="button">${formOf(SET_SETTING).button}</button>
${source === 'database' && html`<button class="button second" formaction="${addressOf(unset, ids)}" formnovalidate>${unset.button}</button>`}</p></form>`;
}

function valueField(name: ShownSetting['name'], text: string): Markup {
  const { choices, input } = aboutSetting(name);
  const attributes = html`id="${name}-value" name="value" required aria-describedby="${name}-help"`;
  if (choices)
    return html`<select ${attributes}>${choices.map(
      (choice) => html`<option${choice === text && html` selected`}>${choice}</option>`,
    )}</select>`;
  if (input === 'file')
    return html`<input id="${name}-value" type="file" name="file" accept=".svg,.png,image/svg+xml,image/png" required aria-describedby="${name}-help">`;
  if (input === 'lines') return html`<textarea ${attributes} dir="auto">${text}</textarea>`;
  return html`<input ${attributes} value="${text}" dir="auto" autocomplete="off">`;
}

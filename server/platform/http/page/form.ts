/** The fields of forms. Each connects its label, hint and error. */
import type { FastifyInstance } from 'fastify';
import { html, type Markup } from '../html.ts';

type Field = {
  name: string;
  label: string;
  /** Unique on the page. By default, the name. */
  id?: string;
  value?: string | undefined;
  hint?: Markup | string | undefined;
  /** Why the value was refused. */
  error?: string | undefined;
  isRequired?: boolean;
  max?: number;
  /** Further attributes of the control. */
  more?: Markup | false;
};

export function input({ type, ...field }: Field & { type?: string }): Markup {
  const { value } = field;
  return around(
    field,
    html`<input${attributesOf(field)}${type && html` type="${type}"`}${value !== undefined && html` value="${value}"`}>`,
  );
}

export function textarea(field: Field): Markup {
  return around(field, html`<textarea${attributesOf(field)}>${field.value ?? ''}</textarea>`);
}

export type Option = readonly [value: string, text: string];

export function select({ options, ...field }: Field & { options: readonly Option[] }): Markup {
  return around(
    field,
    html`<select${attributesOf(field)}>${options.map(
      ([value, text]) =>
        html`<option value="${value}"${value === field.value && html` selected`}>${text}</option>`,
    )}</select>`,
  );
}

/** One of a few, all of them in sight. */
export function choices({ options, ...field }: Field & { options: readonly Option[] }): Markup {
  const { name, label, error, value } = field;
  // A fieldset isn't a control, so aria-invalid doesn't apply to it. The error still describes it.
  return html`<fieldset${error !== undefined && html` aria-describedby="${name}-error"`}><legend>${label}</legend>
${errorOf(field)}<div class="choices">${options.map(
    ([each, text]) =>
      html`<label><input type="radio" name="${name}" value="${each}" required${each === value && html` checked`}> <span>${text}</span></label>`,
  )}</div></fieldset>
`;
}

export function hidden(name: string, value: string | number): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** A form with one field that leads to a list. */
export function searchForm(
  action: string,
  field: Omit<Field, 'isRequired'>,
  more: Markup | false = false,
): Markup {
  return html`<form class="search" role="search" method="get" action="${action}">${more}${input({ ...field, type: 'search' })}<button class="button">Search</button></form>
`;
}

function attributesOf({ name, id = name, hint, error, isRequired, max, more }: Field): Markup {
  const describedBy = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(
    Boolean,
  );
  return html` id="${id}" name="${name}" dir="auto"${isRequired && html` required`}${max !== undefined && html` maxlength="${max}"`}${
    describedBy.length > 0 && html` aria-describedby="${describedBy.join(' ')}"`
  }${error !== undefined && html` aria-invalid="true"`}${more && html` ${more}`}`;
}

function around(field: Field, control: Markup): Markup {
  const { name, id = name, label, hint } = field;
  return html`<div class="field"><label for="${id}">${label}</label>${control}${errorOf(field)}${hint !== undefined && html`<small id="${id}-hint">${hint}</small>`}</div>
`;
}

function errorOf({ name, id = name, error }: Field): Markup | false {
  return error !== undefined && html`<span class="error" id="${id}-error">${error}</span>`;
}

/** A field for an e-mail address. Chromium maps the domain in one of the type `email` to another (web/ui/forms/input.tsx). */
export const EMAIL_FIELD = html`type="text" inputmode="email" autocapitalize="none" autocorrect="off" spellcheck="false"`;

/** In bytes. The forms on the server's pages hold short texts only. */
const MAX_BODY = 32 * 1024;

/** The routes of this scope accept HTML forms and read them as an object of strings. All others accept only JSON. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
}

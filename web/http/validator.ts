import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/**
 * Makes a form's validator from a schema that is loaded when the reader first touches the page, so that the page itself
 * loads without zod. If the schema does not load, the form is sent unchecked, and the server validates it with the
 * same schema. Call this once per module, not while rendering.
 */
export function validatedBy<Typed extends FieldValues, Checked>(
  load: () => Promise<z.ZodType<Checked, Typed>>,
): Resolver<Typed, unknown, Checked> {
  let validator: Promise<Resolver<Typed, unknown, Checked>> | undefined;
  const prepare = () => (validator ??= makeValidator(load).catch(() => unchecked));
  globalThis.addEventListener?.('focusin', () => void prepare(), { once: true });

  // Keeps the form from being sent, without an error at a field.
  const notSent = { values: {}, errors: { root: { type: 'not-sent' } } as FieldErrors<Typed> };
  let isWaiting = false;
  return async (values, context, options) => {
    // Ignore a second submit while the first one waits for the schema. Otherwise both would send the form.
    if (isWaiting) return notSent;
    isWaiting = true;
    try {
      const validate = await prepare();
      return await validate(values, context, options);
    } finally {
      isWaiting = false;
    }
  };
}

// A browser does not load a module again that failed once, so another attempt would fail as well.
const unchecked = (values: FieldValues) => ({ values: values as never, errors: {} });

async function makeValidator<Typed extends FieldValues, Checked>(
  load: () => Promise<z.ZodType<Checked, Typed>>,
): Promise<Resolver<Typed, unknown, Checked>> {
  const [{ zodResolver }, schema] = await Promise.all([import('@hookform/resolvers/zod'), load()]);
  return zodResolver(schema as Parameters<typeof zodResolver>[0]) as unknown as Resolver<
    Typed,
    unknown,
    Checked
  >;
}

import type { FieldValues, Path, UseFormGetValues, UseFormSetError } from 'react-hook-form';
import { RequestError } from './request-error.ts';

type Form<Values extends FieldValues> = {
  getValues: UseFormGetValues<Values>;
  setError: UseFormSetError<Values>;
};

/**
 * Shows the server's validation errors at their fields and focuses the first of these fields. It ignores errors that
 * belong to no field of the form, because the call's toast shows them.
 */
export function showFieldIssues<Values extends FieldValues>(form: Form<Values>, error: unknown): void {
  if (!(error instanceof RequestError)) return;
  const fields = Object.keys(form.getValues());
  const known = error.issues.filter(({ path }) => fields.includes(path));
  for (const [index, { path, message }] of known.entries()) {
    form.setError(path as Path<Values>, { message }, { shouldFocus: index === 0 });
  }
}

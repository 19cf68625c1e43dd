import type { FieldValues, Path, UseFormGetValues, UseFormSetError } from 'react-hook-form';
import { RequestError } from './request-error.ts';

type Form<Values extends FieldValues> = {
  getValues: UseFormGetValues<Values>;
  setError: UseFormSetError<Values>;
};

/**
 * What only the server knew to be wrong, said at the fields it is about; the first of them takes the focus. What is
 * about no field of the form is left to the toast, which the call shows anyway.
 */
export function showFieldIssues<Values extends FieldValues>(form: Form<Values>, error: unknown): void {
  if (!(error instanceof RequestError)) return;
  const fields = Object.keys(form.getValues());
  const known = error.issues.filter(({ path }) => fields.includes(path));
  for (const [index, { path, message }] of known.entries()) {
    form.setError(path as Path<Values>, { message }, { shouldFocus: index === 0 });
  }
}

import { useState, type ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Input, Textarea } from './input.tsx';

type SavedFieldProps = {
  label: string;
  hint?: string;
  /** The value on the server. */
  saved: string;
  /** Returns an error message if the text can't be saved. */
  check?: (text: string) => string | undefined | Promise<string | undefined>;
  /** Saves the text. Rejects on failure; the caller shows the reason. */
  save: (text: string) => Promise<unknown>;
  multiline?: boolean;
  input?: ComponentProps<'input'>;
};

/** A text field that saves a changed text when the user leaves it. [SET-12, SET-13, SET-14] */
export function SavedField({ label, hint, saved, check, save, multiline, input }: SavedFieldProps) {
  // Holds only a text that the user is editing, so that a new value from the server shows immediately.
  const [edited, setEdited] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();

  async function leave() {
    const text = (edited ?? saved).trim();
    if (text === saved) {
      setEdited(null);
      setProblem(undefined);
      return;
    }
    const found = await check?.(text);
    setProblem(found);
    if (found) return;
    try {
      await save(text);
      // Keep the text if the user has typed more in the meantime.
      setEdited((current) => (current?.trim() === text ? null : current));
    } catch {
      setProblem('Not saved. Please try again.');
    }
  }

  const control = {
    value: edited ?? saved,
    onChange: (event: { target: { value: string } }) => setEdited(event.target.value),
    onBlur: () => void leave(),
  };
  return (
    <Field label={label} hint={hint} error={problem}>
      {multiline ? <Textarea {...control} /> : <Input {...input} {...control} />}
    </Field>
  );
}

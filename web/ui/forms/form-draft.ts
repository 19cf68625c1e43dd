import { useEffect, useState } from 'react';
import {
  useForm,
  type DefaultValues,
  type FieldValues,
  type UseFormProps,
  type UseFormReturn,
} from 'react-hook-form';
import { useRestoredText } from '../typed-text.ts';
import { useDraftKey } from './drafts.ts';

type Options<Values extends FieldValues, Checked> = Omit<
  UseFormProps<Values, unknown, Checked>,
  'defaultValues'
> & {
  defaultValues?: DefaultValues<Values>;
  /** A name that is unique among this user's forms. */
  draft: string;
};

/**
 * A form whose text survives a lost session, a reload and a visit to other pages in this tab. Call `discard` after it
 * was submitted or canceled. Don't use it for passwords or cards, because the text is stored unencrypted.
 */
export function useDraftForm<Values extends FieldValues, Checked = Values>({
  draft,
  defaultValues,
  ...options
}: Options<Values, Checked>): { form: UseFormReturn<Values, unknown, Checked>; discard: () => void } {
  const key = useDraftKey()(draft);
  const [stored] = useState(() => storedValues(key));
  const [startValues] = useState<DefaultValues<Values>>(() => Object.assign({}, defaultValues, stored));
  useRestoredText(Object.keys(stored).length > 0);
  const form = useForm<Values, unknown, Checked>({ ...options, defaultValues: startValues });

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => store(key, JSON.stringify(values)),
      }),
    [form, key],
  );

  function discard() {
    form.reset(defaultValues);
    sessionStorage.removeItem(key);
  }

  return { form, discard };
}

function storedValues(key: string): Record<string, unknown> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return typeof stored === 'object' && stored !== null ? { ...stored } : {};
  } catch {
    return {};
  }
}

function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The tab's storage is full. The form still works, but its text isn't saved.
  }
}

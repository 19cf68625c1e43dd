import { useWatch } from 'react-hook-form';
import type { Targeting } from '#domain/targeting/limits.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { onDemand } from '#web/ui/late.tsx';
import type { AdForm } from './ad-form.ts';

const LimitsFields = onDemand(
  'the limits',
  'h-80',
  async () => (await import('#web/targeting/limits-fields.tsx')).LimitsFields,
);

/** Where and to whom the ad is shown, with the limits in one line. */
export function TargetingFold({ form }: { form: AdForm }) {
  const { control, setValue, formState } = form;
  const limits = useWatch({ control, name: 'targeting' }) ?? null;
  const problem = firstMessage(formState.errors.targeting);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Disclosure label="Targeting" line={<Line limits={limits} />}>
        {() => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <p className="text-sm text-ink-soft">
              Without limits, everybody who visits the page may see the ad. Every limit that you set makes
              fewer views. We look at the request for the ad only, and store nothing about visitors.
            </p>
            <LimitsFields
              value={limits}
              onChange={(value) =>
                setValue('targeting', value, { shouldDirty: true, shouldValidate: formState.isSubmitted })
              }
            />
          </div>
        )}
      </Disclosure>
      {problem && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

function Line({ limits }: { limits: Targeting | null }) {
  return (
    <div className="[&_ul]:flex [&_ul]:flex-wrap [&_ul]:gap-x-3">
      <LimitsList limits={limits} none="Everybody who visits the page" />
    </div>
  );
}

/** The first message in the errors of nested fields. */
function firstMessage(errors: unknown): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined;
  const { message } = errors as { message?: unknown };
  if (typeof message === 'string') return message;
  return Object.values(errors)
    .map(firstMessage)
    .find((each) => each !== undefined);
}

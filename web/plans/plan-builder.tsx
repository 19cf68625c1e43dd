import { counted } from '#domain/format.ts';
import { useEffect, useState, type FormEvent } from 'react';
import { ListChecks } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { MAX_DAYS_AHEAD } from '#domain/ads/booking.ts';
import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import { withScheme } from '#domain/inventory/typed-address.ts';
import { decimalOf } from '#domain/money.ts';
import { MAX_PLACEMENTS, TOO_MANY_PLACEMENTS } from '#domain/plans/limits.ts';
import { isTooLong, parseShortlist, shortlistText, type Entry } from '#domain/plans/shortlist.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import type { MediaInputs } from '#web/ads/ad-fields.tsx';
import { savesCard } from '#web/ads/submit.tsx';
import { RequestError } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { faultsOf, useChoices, useCreatePlan, type PlanBody } from './api.ts';
import { PlanContent } from './plan-content.tsx';
import { PlanRows } from './plan-rows.tsx';
import { PlanStart } from './plan-start.tsx';
import { PlanSummary } from './plan-summary.tsx';
import { commonType, rowsOf, shapeOf, type Row } from './rows.ts';
import { newUuid, useShortlist, type Shortlist } from './use-shortlist.ts';

const TABLE = '/marketplace?view=table';

/**
 * Builds a plan from the ad zones in the address (`zones`, see domain/plans/shortlist.ts) and those that the user has
 * ticked before. Every change is kept in the address and in this browser.
 */
export function PlanBuilder({ media }: { media: MediaInputs }) {
  const [params, setParams] = useSearchParams();
  const [added] = useState(() => parseShortlist(params.get('zones')));
  const { list, change, clear } = useShortlist(added);
  const { entries } = list;
  const text = shortlistText(entries);
  const isCurrent = params.get('zones') === (text || null);

  // Links name only the ad zones that they add. The address then holds the whole plan.
  useEffect(() => {
    if (!isCurrent) setParams(text ? { zones: text } : {}, { replace: true });
  }, [isCurrent, text, setParams]);

  if (entries.length === 0) return <NoZones />;
  if (isTooLong(entries)) {
    return (
      <Banner
        tone="warn"
        title={`${counted(entries.length, 'ad zone')} are too many`}
        action={
          <Button
            variant="secondary"
            size="sm"
            onClick={() => change({ entries: entries.slice(0, MAX_PLACEMENTS) })}
          >
            Keep the first {MAX_PLACEMENTS}
          </Button>
        }
      >
        {TOO_MANY_PLACEMENTS}
      </Banner>
    );
  }
  return (
    <Builder
      entries={entries}
      list={list}
      media={media}
      onEntries={(next) => change({ entries: next })}
      onChange={change}
      onSubmitted={clear}
    />
  );
}

function NoZones() {
  return (
    <EmptyState
      title="Choose where your ad runs"
      icon={<ListChecks aria-hidden="true" />}
      action={<ButtonLink href={TABLE}>Choose websites</ButtonLink>}
    >
      Tick websites in the marketplace’s table, or press ‘Add to plan’ on a website’s page.
    </EmptyState>
  );
}

type BuilderProps = {
  entries: readonly Entry[];
  list: ReturnType<typeof useShortlist>['list'];
  media: MediaInputs;
  onEntries: (entries: readonly Entry[]) => void;
  onChange: ReturnType<typeof useShortlist>['change'];
  onSubmitted: () => void;
};

function Builder(props: BuilderProps) {
  const { entries, list, media, onEntries, onChange } = props;
  const {
    data: choices,
    isError,
    refetch,
  } = useChoices(
    entries.map(({ ref }) => ref),
    list.targeting,
  );
  const { create, faults, forgetFaults, send } = useSubmission(props, refetch);
  const [hasTried, setHasTried] = useState(false);

  if (isError && !choices) return <LoadError what="the ad zones" onRetry={() => void refetch()} />;
  if (!choices) return <Skeleton className="h-100 rounded-card" />;
  const adType = list.adType ?? commonType(entries, choices);
  const rows = rowsOf(entries, choices, { ...list, adType });
  const unfit = rows.filter(({ problem }) => problem !== null);
  // Nobody has uploaded an image yet, so it is no failure before the first try to submit.
  const named = unfit.filter(({ problem }) => hasTried || problem !== 'image');

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setHasTried(true);
    if (unfit.length > 0 || create.isPending) return;
    send(event.currentTarget, { rows, adType, withCard: savesCard(event.currentTarget) });
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 content-start gap-6">
        <PlanStart
          rows={rows}
          startDate={list.startDate}
          onChange={(startDate) => {
            forgetFaults();
            onChange({ startDate });
          }}
        />
        <ZonesCard
          rows={rows}
          named={named}
          adType={adType}
          targeting={list.targeting}
          faults={faults}
          onEntries={(next) => {
            forgetFaults();
            onEntries(next);
          }}
        />
        <PlanContent
          adType={adType}
          rows={rows}
          list={list}
          errors={errorsOf(create.error)}
          isMissingShown={hasTried}
          media={media}
          onChange={onChange}
        />
      </div>
      <div className="grid content-start gap-6 lg:sticky lg:top-20 lg:self-start">
        <PlanSummary
          rows={rows}
          unfit={hasTried ? unfit.length : 0}
          refused={rows.filter(({ entry }) => faults.has(entry.ref))}
          error={create.error}
          isBusy={create.isPending}
          onRemove={(gone) => onEntries(without(entries, gone))}
        />
      </div>
    </form>
  );
}

type ZonesCardProps = {
  rows: readonly Row[];
  /** Those of the rows whose problem is said above the list, too. */
  named: readonly Row[];
  adType: AdType;
  targeting: Targeting | null;
  faults: ReadonlyMap<string, string>;
  onEntries: (entries: readonly Entry[]) => void;
};

function ZonesCard({ rows, named, adType, targeting, faults, onEntries }: ZonesCardProps) {
  const entries = rows.map(({ entry }) => entry);
  return (
    <Card aria-label="Ad zones">
      <CardHeader
        title={counted(entries.length, 'ad zone')}
        actions={
          <ButtonLink href={TABLE} variant="secondary" size="sm">
            Add websites
          </ButtonLink>
        }
        className="mb-2"
      />
      <Unfit rows={named} adType={adType} onRemove={(gone) => onEntries(without(entries, gone))} />
      <PlanRows
        rows={rows}
        adType={adType}
        targeting={targeting}
        faults={faults}
        onChange={(ref, fields) =>
          onEntries(entries.map((entry) => (entry.ref === ref ? { ...entry, ...fields } : entry)))
        }
        onRemove={(ref) => onEntries(entries.filter((entry) => entry.ref !== ref))}
      />
    </Card>
  );
}

const without = (entries: readonly Entry[], rows: readonly Row[]): readonly Entry[] =>
  entries.filter(({ ref }) => rows.every(({ entry }) => entry.ref !== ref));

type Plan = { rows: readonly Row[]; adType: AdType; withCard: boolean };

/** Sends the plan. `faults` are the server's messages by the ad zone that it refused. */
function useSubmission({ list, onChange, onSubmitted }: BuilderProps, refetch: () => Promise<unknown>) {
  const [, navigate] = useLocation();
  const create = useCreatePlan();
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());

  function send(form: HTMLFormElement, { rows, adType, withCard }: Plan) {
    create.mutate(bodyOf(list, rows, adType), {
      onSuccess: ({ publicId }) => {
        onSubmitted();
        navigate(withCard ? `/checkout/plans/${publicId}/on-approval` : `/plans/${publicId}`);
      },
      onError: (error) => {
        const refusals = faultsOf(error);
        setFaults(
          new Map(
            rows.flatMap(({ entry }, index) => {
              const message = refusals.get(index);
              return message === undefined ? [] : [[entry.ref, message]];
            }),
          ),
        );
        const [field] = Object.keys(errorsOf(error));
        if (field) form.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
        // The publisher may have changed a price or paused an ad zone.
        void refetch();
        // An earlier submission has arrived after all. The next one is a new plan.
        const isOld = error instanceof RequestError && error.status === 409 && refusals.size === 0;
        if (isOld) onChange({ requestId: newUuid() });
      },
    });
  }

  return { create, faults, forgetFaults: () => setFaults(new Map()), send };
}

function bodyOf(
  { requestId, name, creative, images, targeting }: Shortlist,
  rows: readonly Row[],
  adType: AdType,
): PlanBody {
  const { title, description, targetUrl, imageUrl, videoUrl } = creative;
  const { image, plays } = AD_KINDS[adType];
  return {
    requestId,
    name: name.trim() || title,
    creative: {
      adType,
      title,
      description,
      targetUrl: withScheme(targetUrl),
      ...(image === 'thumbnail' && { imageUrl }),
      ...(plays && { videoUrl }),
    },
    placements: rows.flatMap(({ chosen, quantity, cents, start }) =>
      chosen === null
        ? []
        : [
            {
              adZoneId: chosen.choice.zone.publicId,
              productId: chosen.product.id,
              quantity,
              // Protects the advertiser from a price that they haven't seen.
              expectedPrice: decimalOf(cents),
              // And from a day that they haven't seen.
              startDate: start?.day,
              targeting,
              ...(image === 'creative' && { imageUrl: images[shapeOf(chosen.choice.zone)] }),
            },
          ],
    ),
  };
}

/** The server's faults of the ad by field, such as 'title' for 'creative.title', in the order of the fields. */
function errorsOf(error: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error instanceof RequestError ? error.issues : []) {
    const field = /^creative\.(\w+)$/.exec(path)?.[1];
    if (field !== undefined) errors[field] ??= message;
  }
  return errors;
}

/** The ad zones that can't take this ad, with one button that removes them. */
function Unfit({
  rows,
  adType,
  onRemove,
}: {
  rows: readonly Row[];
  adType: AdType;
  onRemove: (rows: readonly Row[]) => void;
}) {
  const groups = [
    { rows: rows.filter(({ problem }) => problem === 'gone'), why: 'can’t be booked now' },
    { rows: rows.filter(({ problem }) => problem === 'type'), why: `can’t show ${adType} ads` },
    {
      rows: rows.filter(({ problem }) => problem === 'full'),
      why: `can’t start in the next ${MAX_DAYS_AHEAD} days`,
    },
    { rows: rows.filter(({ problem }) => problem === 'image'), why: 'need an image of their shape' },
  ];
  return groups
    .filter((group) => group.rows.length > 0)
    .map(({ rows: found, why }) => (
      <Banner
        key={why}
        tone="warn"
        className="mb-2"
        action={
          <Button variant="secondary" size="sm" onClick={() => onRemove(found)}>
            Remove {found.length === 1 ? 'it' : 'them'}
          </Button>
        }
      >
        {counted(found.length, 'ad zone')}{' '}
        {found.length === 1 ? why.replace('need an image of their', 'needs an image of its') : why}.
      </Banner>
    ));
}

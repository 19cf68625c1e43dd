import { useState, type ComponentType } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { MAX_VARIANTS, type RemovedFor } from '#domain/ads/variants.ts';
import type { Variant } from '#domain/ads/variants-contract.ts';
import type { CreativeResults, Results } from '#domain/delivery/conversions-contract.ts';
import { percentText } from '#domain/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatCount, formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { figureColumn } from '#web/ui/figure-column.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { AdPreview, zoneOf } from './ad-preview.tsx';
import { useResults } from './api.ts';
import { useRemoveVariant, useVariants } from './variants-api.ts';

const STOPPED_BECAUSE: Record<Exclude<RemovedFor, 'advertiser'>, string> = {
  changed: 'Its target address leads to another website than the one that the publisher approved.',
  listed: 'Its target address leads to a website that is on a list of phishing websites.',
  not_public: 'Its target address isn’t on the public internet.',
};

type FormProps = {
  ad: Ad;
  /** The latest second creative. */
  last: Variant | undefined;
  onClose: () => void;
};

/** `Form` is the dialog for a second creative, whose media fields belong to web/media. */
type CreativesProps = { ad: Ad; Form: ComponentType<FormProps> };

/** The campaign's creatives: a second one to try against the first, and which of them is ahead. */
export function CreativesPanel({ ad, Form }: CreativesProps) {
  const variants = useVariants(ad.publicId);
  const results = useResults(ad.publicId);
  const [isAdding, setAdding] = useState(false);

  if (!variants.data || !results.data) {
    return variants.isError || results.isError ? (
      <LoadError
        what="the creatives"
        onRetry={() => {
          void variants.refetch();
          void results.refetch();
        }}
      />
    ) : (
      <Skeleton className="h-40" />
    );
  }
  const [latest] = variants.data;
  const open = latest?.status === 'pending' || latest?.status === 'approved' ? latest : undefined;
  const canAdd =
    ad.status === 'active' && ad.paused !== 'cancel' && variants.data.length < MAX_VARIANTS && !open;
  const { creatives } = results.data;
  const addButton = canAdd && (
    <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setAdding(true)}>
      Add a second creative
    </Button>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 text-sm">
      <LastAnswer latest={latest} />
      {open && (
        <Pair ad={ad} second={open} ahead={open.status === 'approved' ? results.data.verdict : null} />
      )}
      {creatives.length > 0 && (
        <Comparison results={results.data} isOver={open?.status !== 'approved' || ad.status !== 'active'} />
      )}
      {!open && creatives.length === 0 && (
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
          <div className="grid max-w-2xl flex-1 basis-72 gap-0.5">
            <p className="font-medium">One creative</p>
            <p className="text-ink-soft">
              {ad.status === 'active'
                ? 'Try a second creative against this one. The publisher reviews it, and then the two are shown in turn. Your price and budget stay the same, and this page says when one is ahead by more than chance.'
                : 'This campaign showed one creative until it ended.'}
            </p>
          </div>
          {addButton}
        </div>
      )}
      {creatives.length > 0 && addButton}
      {open && <RemoveSecond ad={ad} second={open} />}
      {isAdding && <Form ad={ad} last={latest} onClose={() => setAdding(false)} />}
    </div>
  );
}

/** Removes the second creative, after a question. */
function RemoveSecond({ ad, second }: { ad: Ad; second: Variant }) {
  const remove = useRemoveVariant(ad.publicId);
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setRemoving(true)}>
        Remove the second creative
      </Button>
      {isRemoving && (
        <ConfirmDialog
          open
          onOpenChange={() => setRemoving(false)}
          title={
            <>
              Remove “<bdi>{second.title}</bdi>”?
            </>
          }
          confirmLabel="Remove"
          destructive
          busy={remove.isPending}
          onConfirm={() => remove.mutate(second.publicId, { onSettled: () => setRemoving(false) })}
        >
          Your campaign goes on with “<bdi>{ad.title}</bdi>” alone. The figures so far stay on this page.
        </ConfirmDialog>
      )}
    </>
  );
}

/** What became of the latest second creative, if the advertiser has to know. */
function LastAnswer({ latest }: { latest: Variant | undefined }) {
  if (latest?.status === 'rejected')
    return (
      <Banner tone="warn" title="The publisher didn’t accept your second creative">
        “<bdi>{latest.title}</bdi>”: <bdi>{latest.rejectionReason}</bdi>
      </Banner>
    );
  if (latest?.status === 'removed' && latest.removedFor !== null && latest.removedFor !== 'advertiser')
    return (
      <Banner tone="warn" title="Your second creative was stopped">
        “<bdi>{latest.title}</bdi>” is no longer shown. {STOPPED_BECAUSE[latest.removedFor]}
      </Banner>
    );
  if (latest?.status === 'pending')
    return (
      <Banner title="Your second creative is waiting for approval">
        Submitted on {formatDateTime(latest.createdAt)}. Until the publisher approves it, only the first one
        is shown.
      </Banner>
    );
  return null;
}

function Pair({ ad, second, ahead }: { ad: Ad; second: Variant; ahead: string | null }) {
  const sides = [
    { name: 'First creative', creative: ad, publicId: ad.publicId },
    { name: 'Second creative', creative: { ...second, adType: ad.adType }, publicId: second.publicId },
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 md:grid-cols-2">
      {sides.map(({ name, creative, publicId }) => (
        <section key={name} aria-label={name} className="grid min-w-0 content-start gap-2">
          <h3 className="flex min-h-6 flex-wrap items-center gap-2 text-xs font-medium text-ink-faint">
            {name}
            {ahead === publicId && <Badge tone="good">Ahead</Badge>}
          </h3>
          <AdPreview creative={creative} zone={zoneOf(ad)} />
          <p className="text-xs wrap-anywhere text-ink-soft">Leads to {creative.targetUrl}</p>
        </section>
      ))}
    </div>
  );
}

const rateOf = ({ impressions, clicks }: CreativeResults) =>
  impressions === 0 ? '–' : percentText(clicks / impressions, 2);

function Comparison({ results: { creatives, verdict }, isOver }: { results: Results; isOver: boolean }) {
  const winner = creatives.find(({ ref }) => ref === verdict);
  return (
    <section aria-label="Comparison" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p role="status">
        {winner ? (
          <>
            <Badge tone="good">Ahead by more than chance</Badge>{' '}
            <span className="font-medium">
              “<bdi>{winner.title}</bdi>”
            </span>{' '}
            {isOver ? 'had' : 'has'} more clicks per view.
          </>
        ) : (
          <span className="font-medium">
            {isOver ? 'There was no difference beyond chance.' : 'No difference beyond chance yet.'}
          </span>
        )}
      </p>
      <div className="-mx-inset">
        <Table
          label="Creatives that were shown in turn"
          rows={creatives.map((creative, place) => ({ ...creative, place }))}
          rowKey={({ place }) => place}
          columns={COLUMNS}
          cards
          dense
        />
      </div>
      <p className="text-ink-soft">
        These figures count only what happened while both {isOver ? 'were' : 'are'} shown. We compare clicks
        per view with a two-sided test at 95%: if both were equally good, it would still name one of them in 1
        of 20 comparisons. With fewer than about five expected clicks each, it names none.
      </p>
    </section>
  );
}

type Row = CreativeResults & { place: number };

const COLUMNS: readonly Column<Row>[] = [
  {
    header: 'Creative',
    cell: ({ title, place }) => (
      <span className="wrap-anywhere">
        <bdi className="font-medium">{title}</bdi>{' '}
        <span className="text-xs whitespace-nowrap text-ink-faint">
          {place === 0 ? 'First creative' : 'Second creative'}
        </span>
      </span>
    ),
  },
  figureColumn<Row>('Views', ({ impressions }) => formatCount(impressions)),
  figureColumn<Row>('Clicks', ({ clicks }) => formatCount(clicks)),
  figureColumn<Row>('Clicks per view', rateOf),
  figureColumn<Row>('Landings', ({ landings }) => formatCount(landings)),
  figureColumn<Row>('Conversions', ({ conversions }) => formatCount(conversions)),
];

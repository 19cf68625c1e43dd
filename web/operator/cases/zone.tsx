import { useQuery } from '@tanstack/react-query';
import { LayoutPanelTop } from 'lucide-react';
import { useParams } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getZoneFile } from '#domain/operator/console/cases-contract.ts';
import { read } from '#web/http/query.ts';
import { formatCount, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { Facts, HeadLink, Holds, LineList, Sales, shareText, stateOf, Traffic } from './case-parts.tsx';
import { CasePage, type CaseTab } from './case-page.tsx';

type Zone = Reply<typeof getZoneFile>;

/** The file of an ad zone. [OPER-21] */
export default function ZonePage() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery(read(calls.getZoneFile, { params: { id } }));
  return (
    <CasePage what="the ad zone" query={query}>
      {(zone) => {
        const { owner, website, spend, earnings, onHold, traffic } = zone;
        return {
          kind: 'Ad zone',
          picture: (
            <span className="grid size-18 place-items-center rounded-control bg-lit-soft text-on-lit">
              <LayoutPanelTop aria-hidden="true" />
            </span>
          ),
          state: stateOf(zone.status),
          links: (
            <>
              <HeadLink href={`/operator/websites/${website.id}`}>{website.name}</HeadLink>
              <HeadLink href={`/operator/people/${owner.id}`}>{owner.email ?? 'Deleted account'}</HeadLink>
            </>
          ),
          figures: [
            ['Paid', formatMoney(spend)],
            ['Publisher’s part', formatMoney(earnings)],
            ['On hold', formatMoney(onHold)],
            ['Views', formatCount(traffic.views), `${traffic.days} days`],
            ['Fill', shareText(traffic.fill), `${traffic.days} days`],
            ['Invalid', shareText(traffic.invalidShare), `${traffic.days} days`],
          ],
          tabs: tabsOf(zone),
        };
      }}
    </CasePage>
  );
}

function tabsOf(zone: Zone): CaseTab[] {
  const { ads, holds, traffic, createdAt, website } = zone;
  return [
    {
      value: 'overview',
      label: 'Overview',
      content: (
        <Facts
          facts={[
            ['Website', <bdi key={0}>{website.name}</bdi>],
            ['Created', formatDateTime(createdAt)],
          ]}
        />
      ),
    },
    {
      value: 'ads',
      label: 'Ads',
      content: <LineList title="Ads" folder="/operator/ads" lines={ads} empty="No ad was submitted here." />,
    },
    {
      value: 'money',
      label: 'Money',
      content: (
        <div className="grid gap-6">
          <Sales {...zone} />
          <Holds holds={holds} />
        </div>
      ),
    },
    { value: 'traffic', label: 'Traffic', content: <Traffic traffic={traffic} /> },
  ];
}

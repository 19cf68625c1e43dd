import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getWebsiteFile } from '#domain/operator/console/cases-contract.ts';
import { read } from '#web/http/query.ts';
import { WebsitePicture } from '#web/inventory/website-picture.tsx';
import { formatCount, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import {
  capital,
  Facts,
  HeadLink,
  Holds,
  LineList,
  OutsideLink,
  Sales,
  shareText,
  stateOf,
  Traffic,
} from './case-parts.tsx';
import { CasePage, type CaseTab } from './case-page.tsx';

type Website = Reply<typeof getWebsiteFile>;

/** The file of a website. [OPER-21] */
export default function WebsitePage() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery(read(calls.getWebsiteFile, { params: { id } }));
  return (
    <CasePage what="the website" query={query}>
      {(website) => {
        const { owner, url, shownUrl, publicPage, spend, earnings, onHold, traffic } = website;
        return {
          kind: 'Website',
          picture: <WebsitePicture website={website} />,
          state: stateOf(website.status),
          links: (
            <>
              <OutsideLink href={url}>{shownUrl}</OutsideLink>
              {publicPage !== null && <OutsideLink href={publicPage}>Public page</OutsideLink>}
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
          tabs: tabsOf(website),
        };
      }}
    </CasePage>
  );
}

function tabsOf(website: Website): CaseTab[] {
  const { zones, ads, holds, traffic, category, ownership, faults, createdAt } = website;
  return [
    {
      value: 'overview',
      label: 'Overview',
      content: (
        <Facts
          facts={[
            ['Ownership', capital(ownership)],
            ['Category', category],
            ['Registered', formatDateTime(createdAt)],
            faults.length > 0 && [
              'Delivery faults',
              <span key={0}>
                {faults.map((title) => `${title}. `)}
                <Link href="/operator/faults" className="text-accent underline">
                  Open the faults
                </Link>
              </span>,
            ],
          ]}
        />
      ),
    },
    {
      value: 'ads',
      label: 'Ads',
      content: (
        <div className="grid gap-6">
          <LineList
            title="Ad zones"
            folder="/operator/zones"
            lines={zones}
            empty="This website has no ad zone."
          />
          <LineList title="Ads" folder="/operator/ads" lines={ads} empty="No ad was submitted here." />
        </div>
      ),
    },
    {
      value: 'money',
      label: 'Money',
      content: (
        <div className="grid gap-6">
          <Sales {...website} />
          <Holds holds={holds} />
        </div>
      ),
    },
    { value: 'traffic', label: 'Traffic', content: <Traffic traffic={traffic} /> },
  ];
}

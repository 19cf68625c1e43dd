import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getPersonFile } from '#domain/operator/console/cases-contract.ts';
import { initialsOf } from '#domain/inventory/website-initials.ts';
import { counted } from '#domain/format.ts';
import { read } from '#web/http/query.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { Facts, HeadLink, Holds, LineList, Money, OutsideLink } from './case-parts.tsx';
import { CasePage, type CaseTab } from './case-page.tsx';

type Person = Reply<typeof getPersonFile>;

/** The lists of a file end there. */
const MAX_OWN = 50;
const countOf = ({ length }: readonly unknown[]) => `${length}${length >= MAX_OWN ? '+' : ''}`;

/** The file of a person. [OPER-21] */
export default function PersonPage() {
  const { id } = useParams<{ id: string }>();
  const query = useQuery(read(calls.getPersonFile, { params: { id } }));
  return (
    <CasePage what="the person" query={query}>
      {(person) => {
        const { name, fullName, status, isOperator, role, picture } = person;
        return {
          kind: 'Account',
          picture: (
            <Avatar initials={initialsOf(fullName || name)} src={picture} className="size-18 text-xl" />
          ),
          about: fullName && <bdi>{fullName}</bdi>,
          state:
            status === 'verified'
              ? { words: 'E-mail verified', tone: 'good' }
              : { words: 'E-mail not verified', tone: 'warn' },
          badges: [
            ...(role === null ? [] : [{ words: ROLES[role], tone: 'neutral' as const }]),
            ...(isOperator ? [{ words: 'Operator', tone: 'accent' as const }] : []),
          ],
          links: (
            <>
              <OutsideLink href={`mailto:${name}`}>Write an e-mail</OutsideLink>
              <HeadLink href={`/operator/mail?${new URLSearchParams({ to: name }).toString()}`}>
                All mail to this person
              </HeadLink>
            </>
          ),
          figures: figuresOf(person),
          tabs: tabsOf(person),
        };
      }}
    </CasePage>
  );
}

const ROLES: Record<NonNullable<Person['role']>, string> = {
  buyer: 'Advertiser',
  seller: 'Publisher',
  both: 'Advertiser and publisher',
};

function figuresOf({ earnings, spend, onHold, commission, cancels, websites, ads }: Person) {
  return [
    ['Earned', formatMoney(earnings)],
    ['Spent', formatMoney(spend)],
    ['On hold', formatMoney(onHold)],
    ['Commission', `${commission.percent}%`],
    ['Cancels in 24 h', `${cancels.counted} of ${cancels.allowed}`],
    ['Websites / ads', `${countOf(websites)} / ${countOf(ads)}`],
  ] as const;
}

function tabsOf(person: Person): CaseTab[] {
  const { websites, ads, spend, earnings, onHold, holds, cancels } = person;
  return [
    { value: 'overview', label: 'Overview', content: <Overview person={person} /> },
    {
      value: 'ads',
      label: 'Ads',
      content: (
        <div className="grid gap-6">
          <LineList
            title="Websites"
            folder="/operator/websites"
            lines={websites}
            empty="This person has no website."
          />
          <LineList title="Ads" folder="/operator/ads" lines={ads} empty="This person has no ad." />
        </div>
      ),
    },
    {
      value: 'money',
      label: 'Money',
      content: (
        <div className="grid gap-6">
          <Facts
            facts={[
              ['Earned', <Money key={0} amount={earnings} />],
              ['Spent', <Money key={0} amount={spend} />],
              ['On hold', <Money key={0} amount={onHold} />],
              [
                'Cancels in 24 hours',
                `${cancels.counted} of ${cancels.allowed}${cancels.nextAt === null ? '' : `, the next one from ${formatDateTime(cancels.nextAt)} on`}`,
              ],
            ]}
          />
          <Holds holds={holds} />
        </div>
      ),
    },
    { value: 'sessions', label: 'Sessions', content: <SignIns person={person} /> },
    { value: 'mail', label: 'Mail', content: <Mails person={person} /> },
  ];
}

function Overview({ person }: { person: Person }) {
  const { createdAt, role, commission, tax, taxIds, acceptedTerms, isOperator } = person;
  return (
    <Facts
      facts={[
        ['Signed up', formatDateTime(createdAt)],
        ['Role', role === null ? 'Not chosen yet' : ROLES[role]],
        isOperator && ['Operator', 'Yes. An operator can’t be suspended before their rights are removed.'],
        [
          'Commission',
          `${commission.percent}%, ${commission.isOwn ? 'agreed with this publisher' : 'the default'}`,
        ],
        ['Tax status', tax ?? 'Not stated'],
        taxIds.length > 0 && [
          'Tax numbers',
          <ul key={0} className="grid gap-1">
            {taxIds.map(({ taxId, result, requestId, answeredAt, isByStandIn }) => (
              <li key={`${taxId} ${answeredAt} ${requestId}`}>
                <bdi>{taxId}</bdi>
                <span>
                  {`: ${result}${answeredAt === null ? '' : `, ${formatDateTime(answeredAt)}`}${requestId === null ? '' : `, request ${requestId}`}${isByStandIn ? ', by the local stand-in' : ''}`}
                </span>
              </li>
            ))}
          </ul>,
        ],
        acceptedTerms !== null && [
          'Terms',
          `Version ${acceptedTerms.version}, accepted ${formatDateTime(acceptedTerms.acceptedAt)}`,
        ],
      ]}
    />
  );
}

function SignIns({ person: { signIns } }: { person: Person }) {
  if (signIns.length === 0) return <p className="text-sm text-ink-soft">This person is signed in nowhere.</p>;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-ink-soft">{`Signed in on ${counted(signIns.length, 'device')}.`}</p>
      <ul aria-label="Sessions" className="divide-y divide-line">
        {signIns.map(({ device, startedAt, lastUsedAt }) => (
          <li key={`${device} ${startedAt} ${lastUsedAt}`} className="grid gap-0.5 py-2 text-sm">
            <span className="wrap-anywhere">{device ?? 'Unknown device'}</span>
            <span className="text-xs text-ink-faint">
              {[
                ...(startedAt === null ? [] : [`since ${formatDateTime(startedAt)}`]),
                ...(lastUsedAt === null ? [] : [`used ${formatDateTime(lastUsedAt)}`]),
              ].join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Mails({ person: { mails } }: { person: Person }) {
  if (mails.length === 0) return <p className="text-sm text-ink-soft">No mail was written to this person.</p>;
  return (
    <ul aria-label="Mail" className="divide-y divide-line">
      {mails.map(({ subject, createdAt, state }) => (
        <li key={`${createdAt} ${subject}`} className="grid gap-0.5 py-2 text-sm">
          <bdi className="wrap-anywhere">{subject}</bdi>
          <span className="text-xs wrap-anywhere text-ink-faint">{`${formatDateTime(createdAt)}, ${state}`}</span>
        </li>
      ))}
    </ul>
  );
}

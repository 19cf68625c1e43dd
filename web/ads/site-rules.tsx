import type { Website } from '#domain/inventory/contract.ts';
import { Banner } from '#web/ui/banner.tsx';

const NAMES = { subjects: 'Subjects', words: 'Words', domains: 'Domains' } as const;

/** The subjects, targets and words that the website refuses, for the advertiser to read first. Nothing if it has no rules. */
export function SiteRulesNote({ rules }: Pick<Website, 'rules'>) {
  const stated = (['subjects', 'words', 'domains'] as const).filter((name) => rules[name].length > 0);
  if (stated.length === 0) return null;
  return (
    <Banner title="This website doesn’t take ads with">
      <ul>
        {stated.map((name) => (
          <li key={name}>
            {NAMES[name]}: <bdi>{rules[name].join(', ')}</bdi>
          </li>
        ))}
      </ul>
    </Banner>
  );
}

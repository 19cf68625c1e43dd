import type { PageKey } from '#domain/pages.ts';
import { pageAddress } from '#web/ui/page-links.ts';

const GROUPS: readonly { title: string; links: readonly (readonly [PageKey, string])[] }[] = [
  {
    title: 'Quick Links',
    links: [
      ['how-it-works', 'How It Works'],
      ['pricing', 'Pricing'],
      ['success-stories', 'Success Stories'],
      ['api', 'API Documentation'],
    ],
  },
  {
    title: 'Support',
    links: [
      ['help', 'Help Center'],
      ['contact', 'Contact Us'],
      ['status', 'System Status'],
      ['report-issue', 'Report Issue'],
    ],
  },
  {
    title: 'Legal',
    links: [
      ['privacy', 'Privacy Policy'],
      ['terms', 'Terms of Service'],
      ['cookies', 'Cookie Policy'],
      ['advertiser-terms', 'Advertiser Terms'],
    ],
  },
];

/**
 * The landing page's link groups. A link leads to the operator's page once it is published, and is a placeholder until
 * then. [LAND-17]
 */
export function FooterLinks() {
  return (
    <nav aria-label="Footer" className="grid grow gap-8 sm:max-w-2xl sm:grid-cols-3">
      {GROUPS.map(({ title, links }) => (
        <section key={title} className="grid content-start gap-2.5">
          <h2 className="text-sm font-semibold">{title}</h2>
          <ul className="grid gap-2 text-sm">
            {links.map(([key, name]) => (
              <li key={key}>
                <a
                  href={pageAddress(key)}
                  className="rounded-tight text-ink-soft hover:text-ink hover:underline"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

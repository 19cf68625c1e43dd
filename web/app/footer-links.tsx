const GROUPS = [
  { title: 'Quick Links', links: ['How It Works', 'Pricing', 'Success Stories', 'API Documentation'] },
  { title: 'Support', links: ['Help Center', 'Contact Us', 'System Status', 'Report Issue'] },
  { title: 'Legal', links: ['Privacy Policy', 'Terms of Service', 'Cookie Policy', 'Advertiser Terms'] },
] as const;

/** The landing page's link groups. The links are placeholders. [LAND-18, LAND-19, LAND-20, LAND-21] */
export function FooterLinks() {
  return (
    <nav aria-label="Footer" className="grid grow gap-8 sm:max-w-2xl sm:grid-cols-3">
      {GROUPS.map(({ title, links }) => (
        <section key={title} className="grid content-start gap-2.5">
          <h2 className="text-sm font-semibold">{title}</h2>
          <ul className="grid gap-2 text-sm">
            {links.map((link) => (
              <li key={link}>
                {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- a placeholder by the specification [OP-084] */}
                <a href="#" className="rounded-tight text-ink-soft hover:text-ink hover:underline">
                  {link}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

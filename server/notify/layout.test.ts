import { describe, expect, it } from 'vitest';
import { type Mail, renderMail } from './layout.ts';

const mail = {
  subject: 'Subject',
  heading: 'Heading',
  paragraphs: ['One.', 'Two.'],
  code: '7KXQ',
  ad: {
    title: 'Fresh beans',
    description: 'At your door.',
    zone: 'Sidebar on The Daily',
    picture: { url: 'https://ads.example/ad-images/abc', width: 300 },
  },
  action: { label: 'Act', url: 'https://ads.example/x?a=1&b=2' },
  note: 'Small print.',
  settingsUrl: 'https://ads.example/settings',
};

const rendered = (given: Mail) =>
  renderMail(
    given,
    { name: 'Brot & Rad', tagline: 'Bread', logo: null, icon: null, accent: null },
    'https://ads.test',
  );

describe('the layout of all mails', () => {
  // Proves AUTH-26
  it('has the same content as text and as HTML', () => {
    const { text, html } = rendered(mail);
    const { ad } = mail;
    for (const part of ['Heading', 'One.', 'Two.', '7KXQ', 'Act', 'Small print.']) {
      expect(text).toContain(part);
      expect(html).toContain(part);
    }
    expect(text).toContain('Brot & Rad · Bread');
    expect(html).toContain('Brot &amp; Rad · Bread');
    for (const part of [ad.title, ad.description, ad.zone, mail.settingsUrl]) {
      expect(text).toContain(part);
      expect(html).toContain(part);
    }
    expect(text).toContain('https://ads.example/x?a=1&b=2');
    expect(html).toContain('href="https://ads.example/x?a=1&amp;b=2"');
    expect(html).toContain('<img src="https://ads.example/ad-images/abc" alt="Fresh beans" width="300"');
  });

  // Proves AUTH-26
  it('user texts are never markup', () => {
    const evil = `<script>alert(1)</script><img src=x onerror="alert('2')">`;
    const { html } = rendered({
      ...mail,
      subject: evil,
      heading: evil,
      paragraphs: [evil],
      note: evil,
      ad: { title: evil, description: evil, zone: evil, picture: { url: `x" onerror="alert(3)`, width: 1 } },
      action: { label: evil, url: `https://ads.example/"onclick="${evil}` },
    });
    expect(html).not.toMatch(/<script|<img src=x|onclick="|onerror="/);
    expect(html).toContain('&lt;script&gt;');
  });

  // Proves AUTH-26
  it('a multi-line ad cannot look like part of the mail', () => {
    const { text } = rendered({ ...mail, ad: { ...mail.ad, description: 'Buy\n\n    ABCD\nPay now:' } });
    expect(text).toContain('> Buy ABCD Pay now:');
  });

  // Proves AUTH-26
  it('a line break in a title does not start a mail header', () => {
    expect(rendered({ ...mail, subject: 'Hello\r\nBcc: everybody@example.test' }).subject).toBe(
      'Hello Bcc: everybody@example.test',
    );
  });

  // Proves AUTH-26
  it('loads no script and no style sheet, and no image except that of the ad', () => {
    const { ad: _, ...plain } = mail;
    expect(rendered(mail).html).not.toMatch(/<(script|link)\b|url\(|@import/);
    expect(rendered(plain).html).not.toMatch(/<img\b|src=/);
  });
});

import { describe, expect, it } from 'vitest';
import { renderMail } from './layout.ts';

const mail = {
  subject: 'Subject',
  heading: 'Heading',
  paragraphs: ['One.', 'Two.'],
  code: '7KXQ',
  action: { label: 'Act', url: 'https://ads.example/x?a=1&b=2' },
  note: 'Small print.',
};

describe('the layout of all mails', () => {
  it('AUTH-26 says the same as text and as HTML', () => {
    const { text, html } = renderMail(mail);
    for (const part of ['Heading', 'One.', 'Two.', '7KXQ', 'Act', 'Small print.', 'Openslot']) {
      expect(text).toContain(part);
      expect(html).toContain(part);
    }
    expect(text).toContain('https://ads.example/x?a=1&b=2');
    expect(html).toContain('href="https://ads.example/x?a=1&amp;b=2"');
  });

  it('AUTH-26 what people wrote is text and never markup', () => {
    const evil = `<script>alert(1)</script><img src=x onerror="alert('2')">`;
    const { html } = renderMail({
      ...mail,
      subject: evil,
      heading: evil,
      paragraphs: [evil],
      note: evil,
      action: { label: evil, url: `https://ads.example/"onclick="${evil}` },
    });
    expect(html).not.toMatch(/<script|<img|onclick="|onerror="/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('AUTH-26 no line break of a title becomes a header of the mail', () => {
    expect(renderMail({ ...mail, subject: 'Hello\r\nBcc: everybody@example.test' }).subject).toBe(
      'Hello Bcc: everybody@example.test',
    );
  });

  it('AUTH-26 needs no picture, script or style sheet from anywhere', () => {
    expect(renderMail(mail).html).not.toMatch(/<(img|script|link|style)\b/);
  });
});

import type { FaultText } from '#domain/delivery/fault-causes.ts';
import { isolated } from '../isolated.ts';
import type { Mail } from '../layout.ts';

/** The mail to the publisher of a website with a fault. */
export function faultMail(
  { title, cause, evidence, next, websiteName }: FaultText & { websiteName: string },
  publicUrl: string,
): Mail {
  return {
    subject: `${isolated(websiteName)}: ${title}`,
    heading: title,
    paragraphs: [`This is about your website ${isolated(websiteName)}. ${evidence}`, cause, next],
    action: { label: 'Open your results', url: `${publicUrl}/results` },
    note: 'We send this at most once a week. If you expect this, say so on that page, and we won’t show it for 30 days.',
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
  };
}

/** The bar about the wait of everything outgoing, and the page with its release. */
import { html, type Markup } from '#server/platform/http/html.ts';
import type { Outbound } from '#server/platform/outbound/wait.ts';
import { RELEASE_OUTBOUND } from '../acts/acts-of-accounts.ts';
import { formOf } from '../acts/define-act.ts';
import { waitingText } from '../outbound.ts';
import type { ConsolePage } from './console.ts';
import { fact, facts, time } from '#server/platform/http/page/parts.ts';
import { actForm, type Viewer } from './markup.ts';

/** Stands above every page of the console while everything outgoing waits. */
export function outboundBar({ since, waiting }: Outbound): Markup | false {
  return (
    since !== null &&
    html`<section class="notice" aria-label="Waiting">
<p><strong>Everything outgoing has waited since ${time(since)}, because a backup was restored.</strong> Waiting: ${waitingText(waiting)}.</p>
<p><a class="button" href="/operator/outbound">Release…</a></p>
</section>
`
  );
}

export function outboundPage({ since, waiting }: Outbound, viewer: Viewer): ConsolePage {
  const { mail, refunds, payouts, provider } = waiting;
  return {
    title: 'Outgoing',
    main: html`<h1>Outgoing</h1>
<p class="quiet">${
      since === null
        ? 'Nothing has to wait. What is due leaves by itself.'
        : 'Pages, ads and counting work. Mail, refunds, payouts and every call to the card provider wait, so that this server doesn’t repeat what the original one has done since the backup.'
    }</p>
${facts(
  since !== null && fact('Waiting since', time(since)),
  fact('Mails that wait', String(mail)),
  fact('Refunds that wait', String(refunds)),
  fact('Payouts that wait', String(payouts)),
  fact('Other calls to the card provider that wait', String(provider)),
)}
${since !== null && actForm({ form: formOf(RELEASE_OUTBOUND), viewer })}`,
  };
}

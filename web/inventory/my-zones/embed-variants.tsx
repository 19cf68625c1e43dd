import type { ReactNode } from 'react';
import type { AdZone } from '#domain/inventory/contract.ts';
import {
  frameSnippet,
  noscriptSnippet,
  policySources,
  reactSnippet,
  styleRule,
  vastUrl,
} from '#domain/inventory/embed.ts';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

/** Every way to show a zone, with when to take it. The first is the one for nearly everybody. */
export function EmbedVariants({ zone, websitePublicId }: { zone: AdZone; websitePublicId: string }) {
  const host = zone.deliveryUrl;
  const sellsVideo = zone.offers.some(({ adType }) => adType === 'video');
  const block = (what: string, code: string) => (
    <CodeBlock code={code} label={`${what} of ${zone.name}`} copyLabel={`Copy ${what} of ${zone.name}`} />
  );
  const tabs = [
    {
      value: 'script',
      label: 'Script',
      content: (
        <Variant when="Take this one wherever you can paste HTML: it asks for an ad only when its place is about to be seen.">
          <CodeBlock
            code={zone.embedCode}
            label={`Embed code of ${zone.name}`}
            copyLabel={`Copy code of ${zone.name}`}
          />
          <p>
            Tip: paste it where the ad should stand. The place keeps its size from the start, so your page
            does not jump, and while nothing is booked it advertises itself.
          </p>
        </Variant>
      ),
    },
    {
      value: 'frame',
      label: 'Sandboxed iframe',
      content: (
        <Variant when="Take it where your pages allow no scripts of others: the ad stays in a frame that can reach nothing around it.">
          {block('iframe', frameSnippet(zone, host))}
          <p>
            Views count on your own website only. The frame learns your site’s name from the browser, and
            nothing else about the page.
          </p>
        </Variant>
      ),
    },
    {
      value: 'react',
      label: 'React',
      content: (
        <Variant
          when={
            <>
              Take it in a React application, and put <Code>{'<AdZone />'}</Code> where the ad should stand.
              In Next.js, begin the file with <Code>'use client'</Code>.
            </>
          }
        >
          {block('React component', reactSnippet(zone, host))}
        </Variant>
      ),
    },
    ...(sellsVideo
      ? [
          {
            value: 'vast',
            label: 'Video player',
            content: (
              <Variant when="Give this address to your video player as its VAST tag: it plays the video ads of this zone in your own player.">
                {block('VAST address', vastUrl(zone.publicId, host))}
                <p>
                  Any player that speaks VAST 4 can use it. Text and image ads stay with the script or the
                  iframe.
                </p>
              </Variant>
            ),
          },
        ]
      : []),
    {
      value: 'noscript',
      label: 'No JavaScript',
      content: (
        <Variant when="Put this line after the script for visitors who have switched JavaScript off: they see a link to book the place.">
          {block(
            'link without JavaScript',
            noscriptSnippet(window.location.origin, websitePublicId, zone.publicId),
          )}
          <p>Paid ads are never shown there, because without a script nothing can be counted.</p>
        </Variant>
      ),
    },
    {
      value: 'policy',
      label: 'Strict CSP',
      content: (
        <Variant when="If your pages send a Content-Security-Policy, add our host to these directives. Nothing unsafe is needed.">
          {block('policy', policySources(host))}
          <p>
            A nonce on the script line does as well as <Code>script-src</Code>; the iframe needs{' '}
            <Code>frame-src</Code> only. Where styles in attributes are forbidden, leave out{' '}
            <Code>style</Code> and give your style sheet this rule, so that the place keeps its size.
          </p>
          {block('style rule', styleRule(zone))}
        </Variant>
      ),
    },
  ];
  return <Tabs label={`Ways to show ${zone.name}`} tabs={tabs} className="gap-4" />;
}

function Variant({ when, children }: { when: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-3">
      <p className="text-ink">{when}</p>
      {children}
    </div>
  );
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-xs whitespace-nowrap text-ink">{children}</code>;
}

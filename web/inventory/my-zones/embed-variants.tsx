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

/** Every way to embed an ad zone, each with advice on when to use it. The first one fits most websites. [DEL-32] */
export function EmbedVariants({ zone, websitePublicId }: { zone: AdZone; websitePublicId: string }) {
  const host = zone.deliveryUrl;
  const sellsVideo = zone.offers.some(({ adType }) => adType === 'video');
  const block = (what: string, code: string) => (
    <CodeBlock code={code} label={`${what} for ${zone.name}`} copyLabel={`Copy ${what} for ${zone.name}`} />
  );
  const tabs = [
    {
      value: 'script',
      label: 'Script',
      content: (
        <Variant when="Use this wherever you can paste HTML. It requests an ad only when the ad zone is about to come into view.">
          <CodeBlock
            code={zone.embedCode}
            label={`Embed code for ${zone.name}`}
            copyLabel={`Copy code for ${zone.name}`}
          />
          <p>
            Tip: paste it where the ad should appear. The ad zone has its full size from the start, so your
            page doesn’t jump. While no ad is booked, it shows your own ad or ‘Advertise here’.
          </p>
        </Variant>
      ),
    },
    {
      value: 'frame',
      label: 'Sandboxed iframe',
      content: (
        <Variant when="Use this if your pages don’t allow third-party scripts. The ad stays in a frame that can’t access the rest of the page.">
          {block('iframe', frameSnippet(zone, host))}
          <p>
            Views count only on your own website. The browser tells the frame your site’s domain, and nothing
            else about the page.
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
              Use this in a React app, and put <Code>{'<AdZone />'}</Code> where the ad should appear. In
              Next.js, start the file with <Code>'use client'</Code>.
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
              <Variant when="Enter this address as the VAST tag of your video player. The player then plays this zone’s video ads.">
                {block('VAST address', vastUrl(zone.publicId, host))}
                <p>
                  It works with any player that supports VAST 4. For text and image ads, use the script or the
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
        <Variant when="Add this line after the script. Visitors who have turned off JavaScript then see a link to book the ad zone.">
          {block(
            'link without JavaScript',
            noscriptSnippet(window.location.origin, websitePublicId, zone.publicId),
          )}
          <p>They never see paid ads, because views can’t be counted without a script.</p>
        </Variant>
      ),
    },
    {
      value: 'policy',
      label: 'Strict CSP',
      content: (
        <Variant when="If your pages send a Content-Security-Policy, add our host to these directives. No ‘unsafe’ keywords are needed.">
          {block('policy', policySources(host))}
          <p>
            A nonce on the script line works as well as <Code>script-src</Code>. The iframe needs only{' '}
            <Code>frame-src</Code>. If your policy blocks inline styles, remove the <Code>style</Code>{' '}
            attribute and add this rule to your style sheet, so that the ad zone keeps its size.
          </p>
          {block('style rule', styleRule(zone))}
        </Variant>
      ),
    },
  ];
  return <Tabs label={`Ways to embed ${zone.name}`} tabs={tabs} className="gap-4" />;
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

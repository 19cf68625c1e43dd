import type { ReactNode } from 'react';
import type { AdZone } from '#domain/inventory/contract.ts';
import {
  frameSnippet,
  hugoFile,
  imaSnippet,
  noscriptSnippet,
  policySources,
  postSnippet,
  postsScript,
  reactSnippet,
  styleRule,
  vastUrl,
} from '#domain/inventory/embed.ts';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

type EmbedVariantsProps = {
  zone: AdZone;
  websitePublicId: string;
  /** Whether a video player may show the zone's ads. */
  hasPlayer: boolean;
};

/** An ad zone's code for each publishing system, with the place to paste it. The code is the same in most. */
export function EmbedVariants({ zone, websitePublicId, hasPlayer }: EmbedVariantsProps) {
  const tabs = [
    { value: 'html', label: 'HTML', content: <Html zone={zone} /> },
    { value: 'wordpress', label: 'WordPress', content: <WordPress zone={zone} /> },
    { value: 'ghost', label: 'Ghost', content: <Ghost zone={zone} /> },
    { value: 'hugo', label: 'Hugo', content: <Hugo zone={zone} /> },
    { value: 'react', label: 'React', content: <ReactApp zone={zone} /> },
    {
      value: 'other',
      label: 'Other ways',
      content: <OtherWays zone={zone} websitePublicId={websitePublicId} hasPlayer={hasPlayer} />,
    },
  ];
  return <Tabs label={`Ways to embed ${zone.name}`} tabs={tabs} className="gap-4" />;
}

function Html({ zone }: { zone: AdZone }) {
  return (
    <Variant when="Use this wherever you can paste HTML. It requests an ad only when the ad zone is about to come into view.">
      <Script zone={zone} />
      <p>
        Tip: paste it where the ad should appear. The ad zone has its full size from the start, so your page
        doesn’t jump. While no ad is booked, it shows your own ad or ‘Advertise here’.
      </p>
    </Variant>
  );
}

function WordPress({ zone }: { zone: AdZone }) {
  const block = blockOf(zone);
  return (
    <Variant when="Add a ‘Custom HTML’ block to a post or page where the ad should appear, and paste the code into it.">
      <Script zone={zone} />
      <p>
        From WordPress 7.0 on, the block opens an editor: paste the code into its ‘HTML’ tab. To show it on
        every page, add the same block under Appearance → Widgets or, in a block theme, under Appearance →
        Editor.
      </p>
      <p className="text-ink">
        WordPress removes this code when an author or contributor saves it. In a WordPress network
        (multisite), it does so for everyone except super administrators. In both cases, let an administrator
        add this line once to the header of every page, for example with a plugin that inserts header code. On
        WordPress.com, this needs a plan that allows plugins.
      </p>
      {block('script line', postsScript(zone.deliveryUrl))}
      <p className="text-ink">
        Then paste this code into a ‘Custom HTML’ block instead. WordPress keeps it, whoever saves it.
      </p>
      {block('post code', postSnippet(zone))}
    </Variant>
  );
}

function Ghost({ zone }: { zone: AdZone }) {
  return (
    <Variant when="Type /html on an empty line of a post or page to add an HTML card, and paste the code into it.">
      <Script zone={zone} />
      <p>
        To show it in every post, paste it into <Code>post.hbs</Code> of your theme, below{' '}
        <Code>{'{{content}}'}</Code>. A card is part of the newsletter as well, where it stays empty, because
        mail programs run no scripts. Hide it from e-mail in the card’s visibility settings.
      </p>
    </Variant>
  );
}

function Hugo({ zone }: { zone: AdZone }) {
  const block = blockOf(zone);
  const file = hugoFile(zone.id);
  return (
    <Variant
      when={
        <>
          Add a file <Code>{`layouts/_shortcodes/${file}.html`}</Code> with this code.
        </>
      }
    >
      <Script zone={zone} />
      <p>Then write this line in your Markdown where the ad should appear.</p>
      {block('shortcode', `{{< ${file} >}}`)}
      <p>
        To use it in a template, save the file in <Code>layouts/_partials</Code> and call{' '}
        <Code>{`{{ partial "${file}.html" . }}`}</Code>. Before Hugo 0.146, the folders have no underscore.
      </p>
    </Variant>
  );
}

function ReactApp({ zone }: { zone: AdZone }) {
  const block = blockOf(zone);
  return (
    <Variant
      when={
        <>
          Use this in a React app, and put <Code>{'<AdZone />'}</Code> where the ad should appear. In Next.js,
          start the file with <Code>'use client'</Code>.
        </>
      }
    >
      {block('React component', reactSnippet(zone, zone.deliveryUrl))}
    </Variant>
  );
}

/** For pages with special rules, and for video players. */
function OtherWays({ zone, websitePublicId, hasPlayer }: EmbedVariantsProps) {
  const host = zone.deliveryUrl;
  const block = blockOf(zone);
  return (
    <div className="grid gap-6">
      <Way
        title="Sandboxed iframe"
        when="Use this if your pages don’t allow third-party scripts. The ad stays in a frame that can’t access the rest of the page."
      >
        {block('iframe', frameSnippet(zone, host))}
        <p>
          Views count only on your own website. The browser tells the frame your site’s domain, and nothing
          else about the page.
        </p>
      </Way>
      {hasPlayer && (
        <Way
          title="Video player"
          when="Enter this address as the VAST tag of your video player. The player then plays this zone’s video ads."
        >
          {block('VAST address', vastUrl(zone.publicId, host))}
          <p>
            It works with any player that supports VAST 4. For text and image ads, use the script or the
            iframe.
          </p>
          <p className="text-ink">
            Players with Google IMA, such as Plyr, videojs-ima and Flowplayer, request ads from a page of
            Google’s. Views count only if your page gets the address first and then starts the player with it.
          </p>
          {block('code for Google IMA', imaSnippet(zone.publicId, host))}
          <p>
            Move the start of your player to the marked line, and pass <Code>adTagUrl</Code> to it: as{' '}
            <Code>ads.tagUrl</Code> in Plyr, and as <Code>adTagUrl</Code> in videojs-ima.
          </p>
        </Way>
      )}
      <Way
        title="No JavaScript"
        when="Add this line after the script. Visitors who have turned off JavaScript then see a link to book the ad zone."
      >
        {block(
          'link without JavaScript',
          noscriptSnippet(window.location.origin, websitePublicId, zone.publicId),
        )}
        <p>They never see paid ads, because views can’t be counted without a script.</p>
      </Way>
      <Way
        title="Strict CSP"
        when="If your pages send a Content-Security-Policy, add our host to these directives. No ‘unsafe’ keywords are needed."
      >
        {block('policy', policySources(host))}
        <p>
          A nonce on the script line works as well as <Code>script-src</Code>. The iframe needs only{' '}
          <Code>frame-src</Code>. If your policy blocks inline styles, remove the <Code>style</Code> attribute
          and add this rule to your style sheet, so that the ad zone keeps its size.
        </p>
        {block('style rule', styleRule(zone))}
      </Way>
    </div>
  );
}

function Script({ zone }: { zone: AdZone }) {
  return (
    <CodeBlock
      code={zone.embedCode}
      label={`Embed code for ${zone.name}`}
      copyLabel={`Copy code for ${zone.name}`}
    />
  );
}

function blockOf(zone: AdZone) {
  return (what: string, code: string) => (
    <CodeBlock code={code} label={`${what} for ${zone.name}`} copyLabel={`Copy ${what} for ${zone.name}`} />
  );
}

function Way({ title, ...variant }: { title: string; when: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-1">
      <h3 className="font-medium">{title}</h3>
      <Variant {...variant} />
    </section>
  );
}

function Variant({ when, children }: { when: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-3 text-sm text-ink-soft">
      <p className="text-ink">{when}</p>
      {children}
    </div>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code translate="no" className="font-mono text-xs wrap-anywhere text-ink">
      {children}
    </code>
  );
}

import type { RenderedText } from '#domain/operator/console/texts-contract.ts';
import { cn } from '#web/ui/cn.ts';

// The elements that the renderer makes (server/platform/pages/markdown.ts).
const LOOKS = cn(
  'max-w-[46rem] text-base/relaxed wrap-anywhere',
  '[&_h2]:mt-6 [&_h2]:mb-2 [&_h2]:text-lg [&_h2]:font-semibold',
  '[&_h3]:mt-5 [&_h3]:mb-1 [&_h3]:font-semibold [&_h4]:mt-5 [&_h4]:mb-1 [&_h4]:font-semibold',
  '[&_p]:mb-4 [&_ul]:mb-4 [&_ul]:list-disc [&_ul]:pl-6 [&_ol]:mb-4 [&_ol]:list-decimal [&_ol]:pl-6 [&_li+li]:mt-1.5',
  '[&_a]:text-accent [&_a]:underline [&_a]:underline-offset-4',
  '[&_blockquote]:mb-4 [&_blockquote]:border-l-[3px] [&_blockquote]:border-line-strong [&_blockquote]:pl-4 [&_blockquote]:text-ink-soft',
  '[&_pre]:mb-4 [&_pre]:rounded-control [&_pre]:border [&_pre]:border-line [&_pre]:bg-sunken [&_pre]:p-4 [&_pre]:text-sm [&_pre]:whitespace-pre-wrap',
  '[&_hr]:my-8 [&_hr]:border-line [&_img]:max-w-full [&_img]:rounded-control',
  '[&_.scroll]:mb-4 [&_.scroll]:overflow-x-auto [&_table]:w-full [&_table]:text-left [&_th]:min-w-28 [&_td]:min-w-28',
  '[&_:is(th,td)]:border-b [&_:is(th,td)]:border-line [&_:is(th,td)]:py-2 [&_:is(th,td)]:pr-4 [&_:is(th,td)]:align-top',
);

/** A text of the operator as the public page shows it. The server’s renderer shows HTML in the text as text. */
export function WrittenText({ title, html }: RenderedText) {
  return (
    <article dir="auto" className={LOOKS}>
      {title !== null && <h2 className="mt-0! text-2xl!">{title}</h2>}
      <div key={html} ref={openOutside} dangerouslySetInnerHTML={{ __html: html }} />
    </article>
  );
}

/** A link opens another tab, so that a text that is being written stays open. */
function openOutside(content: HTMLElement | null): void {
  for (const link of content?.querySelectorAll('a') ?? []) {
    link.target = '_blank';
    link.rel = 'nofollow noopener';
  }
}

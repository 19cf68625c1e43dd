import type { Website } from '#domain/inventory/contract.ts';
import { BADGE, badgeCode } from '#domain/inventory/site-badge.ts';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** The means of a publisher to be found: the page in the catalogue, a badge that links to it, and a media kit. */
export function ShareSite({ website, onClose }: { website: Website; onClose: () => void }) {
  const { name, pageUrl } = website;
  if (pageUrl === null) return null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={
        <>
          Share <bdi>{name}</bdi>
        </>
      }
      description="Everyone can see these, without an account."
    >
      <div className="grid gap-6">
        <Part title="Page">
          <CodeBlock code={pageUrl} label="Address of the page" copyLabel="Copy the address of the page" />
          <p className="text-xs text-ink-faint">
            It shows your ad zones, prices and measured views.{' '}
            {!website.isVerified && 'It says ‘Unverified’ until you verify the website. '}
            <OutLink href={pageUrl}>Open the page</OutLink>
          </p>
        </Part>
        <Part title="Badge">
          <img
            src={`${pageUrl}/badge.svg`}
            alt={`Advertise on ${name}`}
            width={BADGE.width}
            height={BADGE.height}
            className="max-w-full"
          />
          <CodeBlock
            code={badgeCode({ name, pageUrl })}
            label="Code of the badge"
            copyLabel="Copy the code of the badge"
          />
        </Part>
        <Part title="Media kit">
          <p>
            Figures, sizes and prices to print or to save as a PDF.{' '}
            <OutLink href={`${pageUrl}/media-kit`}>Open the media kit</OutLink>
          </p>
        </Part>
      </div>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-2">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  );
}

function OutLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className="rounded-tight text-accent underline underline-offset-4"
    >
      {children}
    </a>
  );
}

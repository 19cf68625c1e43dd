import type { CSSProperties, ReactNode } from 'react';
import type { SettingReply } from '#domain/operator/console/settings-contract.ts';
import { DARK, LIGHT, type Palette, themesOf } from '#domain/theme.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { type Edits, shownValue } from './edits.ts';
import { pictureAddress } from './picture-field.tsx';

type Brand = { name: string; tagline: string; seller: string; logo: string; icon: string; accent: string };

/** What visitors, readers of mails and receipts see with the brand as it is typed. */
export function BrandPreview({ settings, edits }: { settings: readonly SettingReply[]; edits: Edits }) {
  const brand = brandOf(settings, edits);
  const themes = themesOf(/^#[\da-f]{6}$/.test(brand.accent) ? brand.accent : null);
  return (
    <Card aria-label="Preview" className="grid gap-4">
      <CardHeader title="Preview" description="It follows what you type." />
      <div inert className="grid gap-4">
        <Ground title="Light pages" palette={themes.light}>
          <PageOf brand={brand} />
        </Ground>
        <Ground title="Dark pages" palette={themes.dark}>
          <PageOf brand={brand} />
        </Ground>
        <Ground title="Mail" palette={themes.light}>
          <MailOf brand={brand} />
        </Ground>
        <Ground title="Receipt" palette={{ ...LIGHT, canvas: LIGHT.surface }}>
          <ReceiptOf brand={brand} />
        </Ground>
      </div>
    </Card>
  );
}

function brandOf(settings: readonly SettingReply[], edits: Edits): Brand {
  const text = (name: string) => {
    const setting = settings.find((each) => each.name === name);
    if (setting === undefined) return '';
    const shown = shownValue(setting, edits[name]).trim();
    return shown === '' ? (setting.fallback ?? '') : shown;
  };
  const sellerName = settings.find(({ name }) => name === 'SELLER_NAME');
  const hasSeller = sellerName?.source !== 'default' || edits['SELLER_NAME'] !== undefined;
  const name = text('MARKETPLACE_NAME');
  return {
    name,
    tagline: text('TAGLINE'),
    seller: hasSeller ? text('SELLER_NAME') : name,
    logo: text('LOGO'),
    icon: text('ICON'),
    accent: text('ACCENT').toLowerCase(),
  };
}

/** A part of a page with the colors of a theme, whatever the reader's own is. */
function Ground({ title, palette, children }: { title: string; palette: Palette; children: ReactNode }) {
  const colors = Object.fromEntries(
    Object.entries(palette).map(([name, color]) => [`--color-${name}`, color]),
  ) as CSSProperties;
  return (
    <figure className="grid gap-1.5">
      <figcaption className="text-xs text-ink-faint">{title}</figcaption>
      <div
        style={{ ...colors, colorScheme: palette.canvas === DARK.canvas ? 'dark' : 'light' }}
        className="overflow-hidden rounded-control border border-line bg-canvas text-sm text-ink"
      >
        {children}
      </div>
    </figure>
  );
}

function Mark({ brand: { name, logo, icon } }: { brand: Brand }) {
  if (logo !== '')
    return <img src={pictureAddress(logo)} alt={name} className="h-7 max-w-33 object-contain object-left" />;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <img src={icon === '' ? '/icon.svg' : pictureAddress(icon)} alt="" className="size-7 shrink-0" />
      <span className="min-w-0 truncate font-display text-base font-semibold tracking-tight">{name}</span>
    </span>
  );
}

const BUTTON = 'rounded-control bg-accent px-3 py-1.5 text-xs font-medium text-on-accent';

function PageOf({ brand }: { brand: Brand }) {
  return (
    <>
      <div className="flex items-center justify-between gap-3 border-b border-line px-3 py-2.5">
        <Mark brand={brand} />
        <span className={cn(BUTTON, 'shrink-0')}>Sign up</span>
      </div>
      <div className="grid gap-1 px-3 py-2.5 text-xs">
        <span className="justify-self-start text-accent underline decoration-accent/35 underline-offset-4">
          Browse the sites
        </span>
        <p className="truncate text-ink-faint">{brand.tagline}</p>
      </div>
    </>
  );
}

function MailOf({ brand }: { brand: Brand }) {
  return (
    <div className="grid gap-3 p-4">
      <Mark brand={brand} />
      <div className="grid justify-items-start gap-2 rounded-card border border-line bg-surface p-4">
        <p className="text-base font-semibold">Your ad is live</p>
        <p className="text-xs">Its ad zone shows it from now on.</p>
        <span className={BUTTON}>Open the campaign</span>
      </div>
      <p className="text-xs wrap-anywhere text-ink-faint">
        {brand.name} · {brand.tagline}
      </p>
    </div>
  );
}

function ReceiptOf({ brand }: { brand: Brand }) {
  return (
    <div className="grid gap-2 bg-surface p-4">
      <p className="text-xs font-semibold wrap-anywhere">{brand.seller}</p>
      <div className="flex items-baseline justify-between gap-3 border-b border-line pb-2">
        <p className="text-base font-semibold">Receipt</p>
        <p className="figures text-xs text-ink-soft">No. 1</p>
      </div>
    </div>
  );
}

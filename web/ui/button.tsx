import { cva, type VariantProps } from 'class-variance-authority';
import { type ComponentProps, useContext } from 'react';
import { Link } from 'wouter';
import { cn } from './cn.ts';
import { toast } from './toast-store.ts';
import { LookOnly } from './why-not.ts';

const looks = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-control font-medium transition-[background-color,border-color,color,box-shadow,transform] duration-150 active:translate-y-px disabled:pointer-events-none disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent shadow-rest hover:bg-accent-strong',
        secondary:
          'border border-line-strong/60 bg-surface text-ink shadow-rest hover:border-line-strong hover:bg-sunken',
        /** Of several choices in a line (Chips). */
        chosen: 'border border-accent bg-accent-soft/40 text-ink ring-1 ring-accent',
        quiet: 'text-ink-soft hover:bg-sunken hover:text-ink',
        /** For the panels that are dark in both schemes. */
        deep: 'bg-on-deep text-deep shadow-rest hover:bg-on-deep/90',
        'deep-outline':
          'border border-on-deep-soft/50 text-on-deep hover:border-on-deep hover:bg-deep-raised',
        destructive: 'bg-bad text-on-bad shadow-rest hover:bg-bad-strong',
        link: 'rounded-tight text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent',
      },
      size: {
        /** For a row of one line: with an icon or a word. */
        tight: 'h-8 px-2 text-xs md:h-7',
        sm: 'h-9 px-3 text-sm',
        md: 'h-10 px-4 text-sm',
        lg: 'h-12 px-6 text-base',
        icon: 'size-10',
        /** As high as the text. The variant `link` always has this size. */
        inline: 'text-sm',
      },
      wide: { true: 'w-full' },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
);

type Looks = VariantProps<typeof looks>;

function looksOf({ variant, size, wide }: Looks): string {
  return looks({ variant, size: variant === 'link' ? 'inline' : size, wide });
}

export type ButtonProps = ComponentProps<'button'> &
  Looks & {
    /** A request is under way. The button is disabled and announced as busy. */
    busy?: boolean;
    /**
     * Why the button can't be used yet. The keyboard reaches such a button, unlike a disabled one, and pressing it
     * shows the reason.
     */
    why?: string | false | undefined;
  };

/** `type` is 'button' by default, so that a button doesn't submit its form by accident. */
export function Button({
  variant,
  size,
  wide,
  busy,
  disabled,
  why,
  className,
  children,
  type,
  ...rest
}: ButtonProps) {
  const lookOnly = useContext(LookOnly);
  const changes = type === 'submit' || variant === 'destructive';
  const reason = (changes && lookOnly) || why;
  return (
    <button
      {...rest}
      {...(reason && unavailableProps(reason))}
      type={type ?? 'button'}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cn(looksOf({ variant, size, wide }), className)}
    >
      {busy && <BusySpinner />}
      {children}
    </button>
  );
}

function unavailableProps(why: string): ComponentProps<'button'> {
  return {
    'aria-disabled': true,
    'aria-description': why,
    title: why,
    onClick: (event) => {
      event.preventDefault();
      toast({ title: why, isNote: true });
    },
  };
}

export type ButtonLinkProps = { href: string; children: React.ReactNode; className?: string } & Looks &
  Omit<ComponentProps<'a'>, 'href'>;

/** `state` is stored with the new history entry. */
type InnerLinkProps = ButtonLinkProps & { state?: object };

/** A link inside the application that looks like a button. */
export function ButtonLink({ href, variant, size, wide, className, children, ...rest }: InnerLinkProps) {
  return (
    <Link {...rest} href={href} className={cn(looksOf({ variant, size, wide }), className)}>
      {children}
    </Link>
  );
}

/** A link to another site that looks like a button and opens a new tab. */
export function ButtonOutLink({ href, variant, size, wide, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a
      {...rest}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={cn(looksOf({ variant, size, wide }), className)}
    >
      {children}
    </a>
  );
}

function BusySpinner() {
  return (
    <svg viewBox="0 0 24 24" className="animate-spin" fill="none" aria-hidden="true">
      <path d="M21 12a9 9 0 1 1-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

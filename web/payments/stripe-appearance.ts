import type { Appearance } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';

const DARK = '(prefers-color-scheme: dark)';

/** Our colors for the fields in Stripe's frame, which cannot read our style sheet. They follow the reader's scheme. */
export function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(readAppearance);
  useEffect(() => {
    const scheme = window.matchMedia(DARK);
    const onChange = () => setAppearance(readAppearance());
    scheme.addEventListener('change', onChange);
    return () => scheme.removeEventListener('change', onChange);
  }, []);
  return appearance;
}

function readAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    theme: window.matchMedia(DARK).matches ? 'night' : 'stripe',
    variables: {
      colorPrimary: token('color-accent'),
      colorBackground: token('color-surface'),
      colorText: token('color-ink'),
      colorTextSecondary: token('color-ink-soft'),
      colorTextPlaceholder: token('color-ink-faint'),
      colorDanger: token('color-bad'),
      borderRadius: token('radius-control'),
      fontFamily: token('font-sans'),
      fontSizeBase: '16px',
    },
    rules: {
      '.Input': { border: `1px solid ${token('color-line-strong')}`, boxShadow: 'none' },
      '.Tab': { border: `1px solid ${token('color-line-strong')}`, boxShadow: 'none' },
      '.Input:focus, .Tab:focus': { outline: `2px solid ${token('color-accent')}`, boxShadow: 'none' },
    },
  };
}

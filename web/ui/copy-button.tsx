import { useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button, type ButtonProps } from './button.tsx';
import { toast } from './toast-store.ts';

type CopyButtonProps = Omit<ButtonProps, 'onClick' | 'children'> & { text: string; label?: string };

export function CopyButton({
  text,
  label = 'Copy',
  variant = 'secondary',
  size = 'sm',
  ...rest
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast({
        title: 'Could not copy',
        description: 'Select the text and copy it by hand.',
        variant: 'destructive',
      });
      return;
    }
    setCopied(true);
    toast({ title: 'Copied!' });
  }

  return (
    <Button {...rest} variant={variant} size={size} onClick={copy} onBlur={() => setCopied(false)}>
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {label}
    </Button>
  );
}

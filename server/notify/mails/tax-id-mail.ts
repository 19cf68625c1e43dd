import type { Mail } from '../layout.ts';

/** The mail about a tax number that VIES refused after it was accepted. */
export function taxIdRefusedMail(taxId: string, publicUrl: string): Mail {
  return {
    subject: 'Your tax number is not registered',
    heading: 'Your tax number is not registered',
    paragraphs: [
      `The EU’s VIES service was not available when you gave the tax number ${taxId}. It has now answered that the number is not registered.`,
      'Correct the number in your billing details. If you think that it is right, ask your tax office whether it is registered for trade in the EU, then answer this mail.',
      'Documents that already name the number don’t change. The marketplace operator may contact you about them.',
    ],
    action: { label: 'Open your billing details', url: `${publicUrl}/settings?tab=billing` },
  };
}

/**
 * A sentence for each requirement of the provider, by a part of its name, the more specific parts first. The provider
 * can add requirements, so an unknown one becomes a general sentence.
 */
const STEPS: readonly [words: RegExp, step: string][] = [
  [/payout_method|external_account|outbound_destination|bank/, 'Add the bank account for your payouts.'],
  [/document/, 'Upload a document that proves who you are.'],
  [/date_of_birth|dob/, 'Enter your date of birth.'],
  [/address/, 'Enter your address.'],
  [/id_number|tax|ssn/, 'Enter your tax or identity number.'],
  [/terms|tos_|attestation/, 'Accept the card provider’s terms.'],
  [/owner|director|executive|representative|relationship/, 'Name the people who own or run the business.'],
  [/name/, 'Enter your name.'],
  [/email|phone/, 'Enter your contact details.'],
  [/entity_type|business|mcc|url|product_description/, 'Describe what you do.'],
];
const OTHER = 'Answer the card provider’s remaining questions.';

/** The steps that these requirements ask for, as sentences, each once. */
export function stepsOf(requirements: readonly string[]): string[] {
  const steps = requirements.map((words) => STEPS.find(([pattern]) => pattern.test(words))?.[1] ?? OTHER);
  return [...new Set(steps)];
}

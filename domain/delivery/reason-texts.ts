import type { Reason } from './reasons.ts';

/** What each reason is called on a screen, and what it means, for people who read it there for the first time. */
export const REASON_TEXTS: Record<Reason, { name: string; meaning: string }> = {
  prefetch: {
    name: 'Loaded in advance',
    meaning: 'A browser fetched the page or the link before anybody asked for it.',
  },
  bot: { name: 'Robot', meaning: 'The caller said that it is a program, or did not say what it is.' },
  wrong_site: {
    name: 'Other website',
    meaning: 'The ad was shown on a page that does not belong to the website it was booked on.',
  },
  too_fast: {
    name: 'Too fast',
    meaning: 'It was reported sooner after the ad was chosen than anybody can see it or click it.',
  },
  frequency: {
    name: 'Too often',
    meaning:
      'The same visitor had just clicked the same ad, or had reached the most that counts of it on one day.',
  },
  expired: { name: 'Too late', meaning: 'It was reported long after the ad was chosen.' },
  forged: { name: 'Forged', meaning: 'The report did not carry a signature of this server.' },
  duplicate: { name: 'Repeated', meaning: 'The same view or click had been reported before.' },
  not_live: { name: 'Not running', meaning: 'The ad had ended, or was stopped, at that moment.' },
  over_goal: {
    name: 'Beyond the goal',
    meaning: 'Everything that was bought had been delivered already. This is a bonus and costs nothing.',
  },
  data_center: {
    name: 'Data center',
    meaning: 'It came from a network where machines are rented, not from one where people are.',
  },
  activity: {
    name: 'Unusual activity',
    meaning: 'One visitor clicked, or one network sent, more than people do.',
  },
};

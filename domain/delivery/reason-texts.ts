import type { Reason } from './reasons.ts';

/** The name and the meaning of each reason on screens, for people who read it for the first time. */
export const REASON_TEXTS: Record<Reason, { name: string; meaning: string }> = {
  prefetch: {
    name: 'Loaded in advance',
    meaning: 'The browser loaded the page or the link in advance, before the visitor asked for it.',
  },
  bot: { name: 'Robot', meaning: 'The request came from a bot or did not identify itself.' },
  wrong_site: {
    name: 'Other website',
    meaning: 'The ad was shown on a page that does not belong to the website it was booked on.',
  },
  too_fast: {
    name: 'Too fast',
    meaning: 'It was reported so soon after the ad was chosen that no one could have seen or clicked it.',
  },
  frequency: {
    name: 'Too often',
    meaning: 'The same visitor had just clicked the same ad, or had reached the daily limit for it.',
  },
  expired: { name: 'Too late', meaning: 'It was reported too long after the ad was chosen.' },
  forged: { name: 'Forged', meaning: 'The report did not have a valid signature from this server.' },
  duplicate: { name: 'Repeated', meaning: 'The same view or click had already been reported.' },
  not_live: { name: 'Not running', meaning: 'The ad had ended or was stopped at that moment.' },
  over_goal: {
    name: 'Beyond the goal',
    meaning: 'Everything that was bought had already been delivered. This is a bonus and costs nothing.',
  },
  data_center: {
    name: 'Data center',
    meaning: 'The request came from a data center, not a home or mobile network.',
  },
  activity: {
    name: 'Unusual activity',
    meaning: 'Unusually many views or clicks on this website from one visitor.',
  },
  not_a_browser: {
    name: 'Not a browser',
    meaning: 'The request was not one that the browser it named would send.',
  },
  not_rendered: {
    name: 'Ad not rendered',
    meaning: 'The ad was clicked, but the page never reported that it was rendered or viewed.',
  },
  wrong_format: {
    name: 'Wrong format',
    meaning: 'The ad was reported the way a video player reports, but it was not sent to a video player.',
  },
  network_cap: {
    name: 'Network limit',
    meaning: 'Unusually many views or clicks from one network.',
  },
  browser_cap: {
    name: 'Browser limit',
    meaning: 'Unusually many views or clicks of one ad from one network with the same kind of browser.',
  },
  ad_cap: {
    name: 'Ad limit',
    meaning: 'Unusually many views or clicks of one ad.',
  },
  publisher_cap: {
    name: 'Publisher limit',
    meaning: 'Unusually many views or clicks on all websites of one publisher.',
  },
  ceiling: {
    name: 'Daily ceiling',
    meaning:
      'The publisher is new, and the daily limit of billable views or clicks had been reached. The ad was shown for free.',
  },
  withdrawn: {
    name: 'Withdrawn later',
    meaning: 'It was counted at first. The hourly comparison then found that it was invalid traffic.',
  },
  no_proof: {
    name: 'No proof of rendering',
    meaning: 'The report did not show that a browser had rendered the ad.',
  },
  agent: {
    name: 'Agent',
    meaning: 'The request said that an AI agent or an automated browser made it.',
  },
};

import { startOfDay } from '#domain/ads/booking.ts';
import type { WaitingEntry } from '#domain/ads/booking-contract.ts';
import { wizardAddress } from '#domain/inventory/wizard-address.ts';
import { dayText, instantText } from '#server/platform/http/dates.ts';
import { isolated, type Mail } from '../layout.ts';

/** The mail to the person on the waiting list who can book their days before everybody else. */
export function daysOfferedMail(entry: WaitingEntry, publicUrl: string): Mail {
  const { startDate, endDate, offeredUntil, productId, quantity } = entry;
  const days =
    startDate === endDate
      ? dayText(startOfDay(startDate))
      : `${dayText(startOfDay(startDate))} to ${dayText(startOfDay(endDate))}`;
  const zone = `${isolated(entry.adZoneName)} on ${isolated(entry.websiteName)}`;
  const until = instantText(new Date(offeredUntil as string));
  const address = wizardAddress({
    website: entry.websitePublicId,
    zone: entry.adZonePublicId,
    option: productId ?? undefined,
    quantity: quantity > 1 ? quantity : undefined,
    start: startDate,
  });
  return {
    subject: 'The days that you’re waiting for are free',
    heading: 'The days that you’re waiting for are free',
    paragraphs: [
      `${zone} is free from ${days}.`,
      `Until ${until}, only you can book these days. After that, they are offered to the next person.`,
    ],
    action: { label: 'Book these days', url: publicUrl + address },
    note: 'If you don’t need the days any more, leave the waiting list in your dashboard.',
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
  };
}

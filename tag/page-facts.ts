/** The query of a request for the ad zone with what only its page knows: the path, its topics and the timezone of its visitor. */
export function pageFacts(zone: Element): URLSearchParams {
  const topics = document.querySelector<HTMLMetaElement>('[data-topics],[name="openslot:topics"]');
  return new URLSearchParams({
    z: zone.getAttribute('zone')!,
    p: location.pathname,
    t: topics?.dataset['topics'] ?? topics?.content ?? '',
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // The number makes the address a new one, as in request.ts.
    r: Math.random() as unknown as string,
  });
}

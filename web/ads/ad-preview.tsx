import { useLayoutEffect, useRef, type MouseEvent } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { AD_KINDS, type AdType, shownAs } from '#domain/ads/types.ts';
import { adStyle, siteLabel, type StyledZone } from '#domain/delivery/ad-style.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import { PageSketch } from '#web/ui/page-sketch.tsx';
import { MISSING_IMAGE } from '#web/ui/picture.tsx';
import { useWidth } from '#web/ui/chart/use-width.ts';
import { paint } from '../../tag/render.ts';

export type Creative = {
  adType: AdType;
  title: string;
  description: string;
  targetUrl: string;
  imageUrl: string | null;
  videoUrl: string | null;
};

type AdPreviewProps = {
  creative: Creative;
  zone: StyledZone;
  /** 'house' is the publisher's own ad, 'open' the box 'Advertise here'. Neither is paid for, so no 'Ad' mark. */
  content?: 'ad' | 'house' | 'open';
  /** In pixels; a taller ad zone is scaled down. */
  maxHeight?: number;
  /** Without the page around it. */
  bare?: boolean;
};

/** The ad zone of an ad, as the preview needs it. */
export function zoneOf(ad: Ad): StyledZone {
  return { width: ad.adZoneWidth, height: ad.adZoneHeight, look: ad.adZoneLook, accent: ad.adZoneAccent };
}

/** Taller ad zones are scaled down, so that the rest of the form stays visible. */
const MAX_HEIGHT = 600;

/**
 * The ad on a sketched page. The tag's own code paints it, with the style that the ad server sends, so that publishers
 * approve exactly what visitors see.
 */
export function AdPreview({
  creative,
  zone,
  content = 'ad',
  maxHeight = MAX_HEIGHT,
  bare = false,
}: AdPreviewProps) {
  const { width, height } = zone;
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const availableWidth = useWidth(frame);
  const scale = Math.min(1, availableWidth / width, maxHeight / height);
  const served = JSON.stringify(servedAs(creative, zone, content));

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const media = paint(root, JSON.parse(served) as ServedAd);
    if (media) media.addEventListener('error', () => showMissing(media), { once: true });
  }, [served]);

  // The preview is as wide as this frame was measured. Without containment, the preview would keep the frame at that
  // width, and it could never shrink.
  const preview = (
    <div ref={frame} className="min-w-0 overflow-hidden [contain:inline-size]">
      {/* Clicks inside the preview must not navigate. There is nothing here to use by keyboard. */}
      <div
        role="presentation"
        onClickCapture={preventNavigation}
        style={{ width: width * scale, height: height * scale }}
        className="mx-auto"
      >
        <div
          ref={host}
          data-preview={creative.adType}
          inert={!AD_KINDS[creative.adType].plays}
          // `zoom`, because a transform would blur the thin border around the ad.
          style={{ width, height, zoom: scale, contain: 'strict' }}
        />
      </div>
    </div>
  );
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      {bare ? (
        preview
      ) : (
        <PageSketch width={width} height={height}>
          {preview}
        </PageSketch>
      )}
      {scale > 0 && scale < 0.995 && (
        <p className="text-xs text-ink-faint">
          Shown at {Math.round(scale * 100)}% of {width}x{height}
        </p>
      )}
    </div>
  );
}

/** The ad as the ad server would send it. A missing video falls back to its thumbnail, and a missing image to text. */
function servedAs(
  creative: Creative,
  zone: StyledZone,
  content: NonNullable<AdPreviewProps['content']>,
): ServedAd {
  const { adType, title, description, targetUrl, videoUrl } = creative;
  // Nothing is loaded from elsewhere: neither a thumbnail that was not copied, nor an address that is being typed.
  const imageUrl =
    creative.imageUrl !== null && IMAGE_PATH.test(creative.imageUrl) ? creative.imageUrl : null;
  const { width, height } = zone;
  const click = window.location.origin;
  const texts = {
    zone: '',
    width,
    height,
    title: title || 'Your title',
    text: description || 'Your description',
    click,
  };
  if (content === 'open') return { ...texts, kind: 'house', css: adStyle(zone, 'open') };
  const text = { ...texts, site: siteLabel(URL.parse(targetUrl)), css: adStyle(zone, 'text') };
  if (content === 'house') return { ...text, kind: 'house' };
  const kind = shownAs(adType, { hasImage: Boolean(imageUrl), hasVideo: Boolean(videoUrl) });
  const media = { ...texts, css: adStyle(zone, 'media'), why: click, kind };
  const byKind: Record<AdType, ServedAd> = {
    text: { ...text, kind, why: click },
    image: { ...media, src: imageUrl ?? '' },
    video: { ...media, src: videoUrl ?? '', ...(imageUrl && { poster: imageUrl }) },
  };
  return byKind[kind];
}

function showMissing(media: HTMLImageElement | HTMLVideoElement): void {
  if (media instanceof HTMLImageElement) media.src = MISSING_IMAGE;
  else media.poster = MISSING_IMAGE;
}

function preventNavigation(event: MouseEvent): void {
  if (event.nativeEvent.composedPath().some((node) => node instanceof HTMLAnchorElement))
    event.preventDefault();
}

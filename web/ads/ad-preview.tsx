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
};

type AdBoxProps = AdPreviewProps & {
  /** On a page that is too narrow, the tag makes the ad zone narrower. Otherwise it is drawn smaller. */
  isNarrowed?: boolean;
};

/** The ad zone of an ad, as the preview needs it. */
export function zoneOf(ad: Ad): StyledZone {
  return { width: ad.adZoneWidth, height: ad.adZoneHeight, look: ad.adZoneLook, accent: ad.adZoneAccent };
}

/** Taller ad zones are scaled down, so that the rest of the form stays visible. */
const MAX_HEIGHT = 600;

/** The ad on a sketched page. */
export function AdPreview(props: AdPreviewProps) {
  const { width, height } = props.zone;
  return (
    <PageSketch width={width} height={height}>
      <AdBox {...props} />
    </PageSketch>
  );
}

/**
 * The ad in the size of its zone. The tag's own code paints it, with the style that the ad server sends, so that publishers
 * approve exactly what visitors see.
 */
export function AdBox({
  creative,
  zone,
  content = 'ad',
  maxHeight = MAX_HEIGHT,
  isNarrowed = false,
}: AdBoxProps) {
  const { width, height } = zone;
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const availableWidth = useWidth(frame);
  const shownWidth = isNarrowed ? Math.min(width, availableWidth) : width;
  const scale = Math.min(1, isNarrowed ? 1 : availableWidth / width, maxHeight / height);
  const served = JSON.stringify(servedAs(creative, zone, content));

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const media = paint(root, JSON.parse(served) as ServedAd);
    if (media) media.addEventListener('error', () => showMissing(media), { once: true });
  }, [served]);

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5">
      {/* The preview is as wide as this frame was measured. Without containment, the preview would keep the frame
          at that width, and it could never shrink. */}
      <div ref={frame} className="min-w-0 overflow-hidden [contain:inline-size]">
        {/* Clicks inside the preview must not navigate. There is nothing here to use by keyboard. */}
        <div
          role="presentation"
          onClickCapture={preventNavigation}
          style={{ width: shownWidth * scale, height: height * scale }}
          className="mx-auto"
        >
          <div
            ref={host}
            data-preview={creative.adType}
            inert={!AD_KINDS[creative.adType].plays}
            // `zoom`, because a transform would blur the thin border around the ad.
            style={{ width: shownWidth, height, zoom: scale, contain: 'strict' }}
          />
        </div>
      </div>
      {scale > 0 && scale < 0.995 && (
        <p className="text-xs text-ink-faint">
          Shown at {Math.round(scale * 100)}% of {width}x{height}
        </p>
      )}
    </div>
  );
}

/** Paints an ad into a box of the caller's, as the tag does. */
export function paintAd(root: ShadowRoot, creative: Creative, zone: StyledZone): void {
  paint(root, servedAs(creative, zone, 'ad'));
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

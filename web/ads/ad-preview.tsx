import { useLayoutEffect, useRef, type MouseEvent } from 'react';
import type { AdType } from '#domain/ads/types.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
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
  /** Of the zone, in pixels. */
  width: number;
  height: number;
  /** The publisher's own: nobody paid for it, so it has no mark 'Ad'. */
  isHouse?: boolean;
};

/** Taller places are shown smaller, so that the rest of the page stays in sight. */
const MAX_HEIGHT = 600;

/** The ad in its zone on a page, drawn by the tag's own code: what is approved is what is shown. */
export function AdPreview({ creative, width, height, isHouse = false }: AdPreviewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const room = useWidth(frame);
  const scale = Math.min(1, room / width, MAX_HEIGHT / height);
  const served = JSON.stringify(servedAs(creative, width, height, isHouse));

  useLayoutEffect(() => {
    const zone = host.current;
    if (!zone) return;
    const root = zone.shadowRoot ?? zone.attachShadow({ mode: 'open' });
    const media = paint(root, JSON.parse(served) as ServedAd);
    if (media) media.addEventListener('error', () => showMissing(media), { once: true });
  }, [served]);

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <PageSketch width={width} height={height}>
        {/* Its own content must not hold it open: the scaled picture is as wide as it was measured, and could never
            shrink. */}
        <div ref={frame} className="min-w-0 overflow-hidden [contain:inline-size]">
          {/* What is pressed inside the picture of the ad leads nowhere; the keyboard has nothing to do here. */}
          <div
            role="presentation"
            onClickCapture={stayHere}
            style={{ width: width * scale, height: height * scale }}
            className="mx-auto"
          >
            <div
              ref={host}
              data-preview={creative.adType}
              inert={creative.adType !== 'video'}
              // Not a transform: that would blur the hairline around the ad.
              style={{ width, height, zoom: scale }}
            />
          </div>
        </div>
      </PageSketch>
      {scale > 0 && scale < 0.995 && (
        <p className="text-xs text-ink-faint">
          Shown at {Math.round(scale * 100)} % of {width}x{height}
        </p>
      )}
    </div>
  );
}

/** As the ad server would answer. A video that is not there yet gives way to its thumbnail, and that to text. */
function servedAs(creative: Creative, width: number, height: number, isHouse: boolean): ServedAd {
  const { adType, title, description, imageUrl, videoUrl } = creative;
  const ad = {
    zone: '',
    width,
    height,
    title: title || 'Your title',
    text: description || 'Your description',
  };
  if (isHouse) return { ...ad, click: window.location.origin, kind: 'house' };
  const links = { click: window.location.origin, why: window.location.origin };
  if (adType === 'video' && videoUrl) {
    return { ...ad, ...links, kind: 'video', src: videoUrl, ...(imageUrl && { poster: imageUrl }) };
  }
  if (adType !== 'text' && imageUrl) return { ...ad, ...links, kind: 'image', src: imageUrl };
  return { ...ad, ...links, kind: 'text' };
}

function showMissing(media: HTMLImageElement | HTMLVideoElement): void {
  if (media instanceof HTMLImageElement) media.src = MISSING_IMAGE;
  else media.poster = MISSING_IMAGE;
}

function stayHere(event: MouseEvent): void {
  if (event.nativeEvent.composedPath().some((node) => node instanceof HTMLAnchorElement))
    event.preventDefault();
}

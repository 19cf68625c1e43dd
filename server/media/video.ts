import { BufferSource, EncodedPacketSink, Input, type InputVideoTrack, MP4 } from 'mediabunny';
import { MAX_VIDEO_SECONDS, MIN_VIDEO_SECONDS } from '#domain/media/limits.ts';
import { HttpError, invalid, tooLarge, wrongKind } from '../http/errors.ts';
import type { Decoded } from './kinds.ts';

/** Twice the fastest cameras. A few bytes can claim millions of frames, and looking at each would hold the server up. */
const MAX_FRAMES = MAX_VIDEO_SECONDS * 240;

/** Thirty seconds of pictures and sound are indexed in some hundred kilobytes. */
const MAX_INDEX = 4 * 1024 * 1024;

/**
 * An MP4 with H.264 pictures of 2 to 30 seconds, complete to its last byte. It is shown as it is (design 6.3).
 */
export async function checkVideo(bytes: Buffer): Promise<Decoded> {
  if (!boxesFill(bytes)) throw damaged();
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes) });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw wrongKind('This MP4 has no video in it.');
    if ((await track.getCodec()) !== 'avc') {
      throw wrongKind('Only H.264 videos can be uploaded. Please export the video as MP4 with H.264.');
    }
    const seconds = await track.computeDuration();
    // The last frame of a 30 second clip may end some hundredths later (29.97 frames a second).
    if (Math.round(seconds * 10) / 10 > MAX_VIDEO_SECONDS) {
      throw tooLarge(`The video is too long: ${MAX_VIDEO_SECONDS} seconds at most.`);
    }
    if (seconds < MIN_VIDEO_SECONDS) {
      throw invalid(`The video is too short: its views count after ${MIN_VIDEO_SECONDS} seconds of play.`);
    }
    const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
    if (!(width > 0 && height > 0 && (await reachesItsEnd(track, seconds)))) throw damaged();
    return { width, height, durationMs: Math.round(seconds * 1000), bytes };
  } catch (error) {
    throw error instanceof HttpError ? error : damaged();
  } finally {
    input.dispose();
  }
}

/**
 * The top-level boxes (ISO 14496-12, 4.2) end exactly where the file ends. A cut file still tells its whole
 * duration, because that stands in its beginning. An index (`moov`) larger than any 30 seconds need is refused unread:
 * reading it would hold the server up.
 */
function boxesFill(bytes: Buffer): boolean {
  let offset = 0;
  while (offset + 8 <= bytes.length) {
    const size = boxSize(bytes, offset);
    if (size < 8 || (size > MAX_INDEX && bytes.toString('latin1', offset + 4, offset + 8) === 'moov'))
      return false;
    offset += size;
  }
  return offset === bytes.length;
}

/** 0 where the header is broken. A size of 0 means 'to the end', one of 1 that eight bytes of size follow. */
function boxSize(bytes: Buffer, offset: number): number {
  const size = bytes.readUInt32BE(offset);
  if (size === 0) return bytes.length - offset;
  if (size !== 1) return size;
  return offset + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(offset + 8)) : 0;
}

/** Whether the frames can be found from the first, a whole picture, to the last. */
async function reachesItsEnd(track: InputVideoTrack, seconds: number): Promise<boolean> {
  let first: string | undefined;
  let end = 0;
  let frames = 0;
  for await (const frame of new EncodedPacketSink(track).packets()) {
    if (++frames > MAX_FRAMES) return false;
    first ??= frame.type;
    end = Math.max(end, frame.timestamp + frame.duration);
  }
  return first === 'key' && seconds - end < 0.1;
}

function damaged(): HttpError {
  return wrongKind('This video is damaged or incomplete. Please export it again as MP4.');
}

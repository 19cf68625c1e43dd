import { BufferSource, EncodedPacketSink, Input, type InputVideoTrack, MP4 } from 'mediabunny';
import { MAX_VIDEO_SECONDS, MIN_VIDEO_SECONDS } from '#domain/media/limits.ts';
import { type Decoded, Refusal } from './kinds.ts';
import { samplesClaimed } from './mp4-tables.ts';

/** 240 frames a second are twice as many as fast cameras take. A few bytes can claim millions of frames. */
const MAX_FRAMES = MAX_VIDEO_SECONDS * 240;

/** A frame is in up to seven tables. The rest is for sound. */
const MAX_SAMPLES = 10 * MAX_FRAMES;

/** In bytes. The index of 30 seconds of video and sound takes a few hundred kilobytes. */
const MAX_INDEX = 4 * 1024 * 1024;

/** Accepts a complete MP4 with H.264 video of 2 to 30 seconds. The file is shown unchanged. */
export async function checkVideo(bytes: Buffer): Promise<Decoded> {
  checkBoxes(bytes);
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes) });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) throw new Refusal(415, 'This MP4 contains no video. Choose another one.');
    if ((await track.getCodec()) !== 'avc') {
      throw new Refusal(415, 'This video doesn’t use H.264. Export it again as MP4 with H.264.');
    }
    const seconds = await track.computeDuration();
    // At 29.97 frames a second the last frame of a 30-second clip may end a few hundredths of a second later.
    if (Math.round(seconds * 10) / 10 > MAX_VIDEO_SECONDS) {
      throw new Refusal(413, `The video is too long. Cut it to at most ${MAX_VIDEO_SECONDS} seconds.`);
    }
    if (seconds < MIN_VIDEO_SECONDS) {
      throw new Refusal(
        400,
        `The video is too short, because views count after ${MIN_VIDEO_SECONDS} seconds. Choose a longer one.`,
      );
    }
    const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
    if (!(width > 0 && height > 0 && (await reachesItsEnd(track, seconds)))) throw damaged();
    return { width, height, durationMs: Math.round(seconds * 1000) };
  } catch (error) {
    throw error instanceof Refusal ? error : damaged();
  } finally {
    input.dispose();
  }
}

/**
 * Throws unless the top-level boxes (ISO 14496-12, 4.2) end exactly where the file ends. The duration does not show that a
 * file was cut, because it is stored at the beginning. An index (`moov`) larger than 30 seconds need, and tables that claim
 * more frames, are refused before the library reads them.
 */
function checkBoxes(bytes: Buffer): void {
  let offset = 0;
  let samples = 0;
  while (offset + 8 <= bytes.length) {
    const size = boxSize(bytes, offset);
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    if (size < 8 || (size > MAX_INDEX && type === 'moov')) throw damaged();
    // The frames themselves may contain any bytes, also the names of tables.
    if (type !== 'mdat')
      samples += samplesClaimed(bytes.subarray(offset, offset + size), MAX_SAMPLES - samples);
    if (samples > MAX_SAMPLES) {
      throw new Refusal(
        413,
        'The video has too many frames. Export it again with at most 60 frames a second.',
      );
    }
    offset += size;
  }
  if (offset !== bytes.length) throw damaged();
}

/** Returns 0 for a broken header. A size field of 0 means 'to the end', and of 1 that an eight-byte size follows. */
function boxSize(bytes: Buffer, offset: number): number {
  const size = bytes.readUInt32BE(offset);
  if (size === 0) return bytes.length - offset;
  if (size !== 1) return size;
  return offset + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(offset + 8)) : 0;
}

/** Returns whether the file holds all frames, from a first key frame to the end of the duration. */
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

function damaged(): Refusal {
  return new Refusal(415, 'This video is damaged or incomplete. Export it again as MP4.');
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { calls } from '#domain/calls.ts';
import { imagePathOf } from '#domain/media/limits.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { keyOf } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { messageOf } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refusal, type Accepted } from './accepted.ts';
import { putFile } from './put-file.ts';

/** A file is pending, then uploading, then a success or an error. [MED-13] */
export type UploadState =
  | { phase: 'idle' }
  | { phase: 'pending'; filename: string }
  | { phase: 'uploading'; filename: string; share: number }
  | { phase: 'success'; filename: string }
  | { phase: 'error'; message: string };

type UploadOptions = {
  accepted: Accepted;
  /** True for images. The library doesn't hold videos. */
  saveToLibrary: boolean;
  /** Called with the path under which the server serves the file. */
  onUploaded: (path: string) => void;
};

/** Uploads a file: request an upload address, PUT the file there, save an image to the library. [MED-14, MED-15] */
export function useUpload({ accepted, saveToLibrary, onUploaded }: UploadOptions) {
  const [state, setState] = useState<UploadState>({ phase: 'idle' });
  const mounted = useMounted();

  const upload = useCallback(
    async (file: File) => {
      const show = (next: UploadState) => mounted.current && setState(next);
      const refused = refusal(file, accepted);
      if (refused) {
        show({ phase: 'error', message: refused });
        return;
      }
      const filename = file.name;
      try {
        show({ phase: 'pending', filename });
        const { uploadURL } = await call(calls.createUpload);
        show({ phase: 'uploading', filename, share: 0 });
        await putFile(uploadURL, file, (share) => show({ phase: 'uploading', filename, share }));
        const path = imagePathOf(uploadURL);
        if (saveToLibrary) await addToLibrary(path, file);
        else toast({ title: 'Upload successful', description: 'Video uploaded successfully' });
        if (!mounted.current) return;
        show({ phase: 'success', filename });
        onUploaded(path);
      } catch (error) {
        show({ phase: 'error', message: messageOf(error, 'The upload failed. Please try again.') });
      }
    },
    [accepted, saveToLibrary, onUploaded, mounted],
  );

  return { state, upload };
}

/** Doesn't throw, because the ad can use an image that isn't in the library. [ERR-55] */
async function addToLibrary(imagePath: string, file: File): Promise<void> {
  try {
    await call(calls.saveMedia, {
      body: { imagePath, filename: file.name.slice(0, 255), fileSize: file.size },
    });
  } catch (error) {
    failureToast(
      error,
      "Image uploaded but couldn't be saved to library",
      'You can still use it in this ad.',
    );
    return;
  }
  toast({ title: 'Upload successful', description: 'Image uploaded successfully (saved to library)' });
  void queryClient.invalidateQueries({ queryKey: keyOf(calls.listMedia) });
}

/** Lets an upload that ends after its form was closed skip the state change. */
function useMounted() {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}

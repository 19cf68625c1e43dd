import { counted } from '#domain/format.ts';
import { useState } from 'react';
import { ImageOff } from 'lucide-react';
import type { MediaItem } from '#domain/media/contract.ts';
import { RECENT_IMAGES } from '#domain/media/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDate } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { LIBRARY_IMAGE } from './accepted.ts';
import { useMediaLibrary } from './api.ts';
import { UploadDrop } from './upload-drop.tsx';

type MediaLibraryDialogProps = { open: boolean; onClose: () => void; onUse: (path: string) => void };

export function MediaLibraryDialog({ open, onClose, onUse }: MediaLibraryDialogProps) {
  const [selected, setSelected] = useState<string | null>(null);

  function close() {
    setSelected(null);
    onClose();
  }

  function use() {
    if (!selected) return;
    onUse(selected);
    toast({ title: 'Image selected' });
    close();
  }

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Media Library"
      width="lg"
      footer={
        <>
          <Button
            variant="quiet"
            className="mr-auto -ml-3 px-3"
            why={!selected && 'No image is selected'}
            onClick={() => setSelected(null)}
          >
            Clear
          </Button>
          <Button variant="secondary" onClick={close}>
            Cancel
          </Button>
          <Button why={!selected && 'Select an image first'} onClick={use}>
            Use This Image
          </Button>
        </>
      }
    >
      <Tabs
        label="Media library"
        tabs={[
          {
            value: 'recent',
            label: 'Recent',
            content: <Images limit={RECENT_IMAGES} selected={selected} onSelect={setSelected} />,
          },
          {
            value: 'all',
            label: 'All Images',
            content: <Images selected={selected} onSelect={setSelected} />,
          },
          {
            value: 'upload',
            label: 'Upload New',
            content: (
              <div className="grid gap-4">
                <UploadDrop
                  label="Upload an image"
                  accepted={LIBRARY_IMAGE}
                  saveToLibrary
                  onUploaded={setSelected}
                />
                {selected && <Picture src={selected} alt="Selected image" className="max-h-48 max-w-full" />}
              </div>
            ),
          },
        ]}
      />
    </Dialog>
  );
}

type ImagesProps = { limit?: number; selected: string | null; onSelect: (path: string) => void };

function Images({ limit, selected, onSelect }: ImagesProps) {
  const { data: images, isError, refetch } = useMediaLibrary(true);
  if (isError) return <LoadError what="your images" onRetry={refetch} />;
  if (!images) {
    return (
      <Grid>
        {Array.from({ length: 3 }, (_, index) => (
          <Skeleton key={index} className="h-36" />
        ))}
      </Grid>
    );
  }
  if (images.length === 0) {
    return (
      <EmptyState title="No images yet" icon={<ImageOff aria-hidden="true" />} className="py-8">
        Upload an image under Upload New. You can use it in all your ads.
      </EmptyState>
    );
  }
  return (
    <Grid>
      {images.slice(0, limit).map((image) => (
        <li key={image.id} className="grid">
          <ImageButton
            image={image}
            selected={image.path === selected}
            onSelect={() => onSelect(image.path)}
          />
        </li>
      ))}
    </Grid>
  );
}

function Grid({ children }: { children: React.ReactNode }) {
  return <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">{children}</ul>;
}

type ImageButtonProps = { image: MediaItem; selected: boolean; onSelect: () => void };

function ImageButton({ image, selected, onSelect }: ImageButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={onSelect}
      className={cn(
        'grid gap-1.5 overflow-hidden rounded-control border p-2 text-left transition-[border-color,box-shadow] duration-150',
        selected
          ? 'border-accent ring-2 ring-accent'
          : 'border-line-strong/60 hover:border-line-strong hover:shadow-lift',
      )}
    >
      <Picture src={image.path} alt="" className="h-24 w-full rounded-tight" />
      <span dir="auto" className="truncate text-sm">
        {image.filename}
      </span>
      <span className="text-xs text-ink-faint">
        {formatDate(image.uploadedAt)}
        {image.usageCount > 0 && ` · in ${counted(image.usageCount, 'ad')}`}
      </span>
    </button>
  );
}

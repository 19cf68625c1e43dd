import { zodResolver } from '@hookform/resolvers/zod';
import { rejectAd, type Submission } from '#domain/ads/contract.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { RequestError } from '#web/http/request-error.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { useDraftForm } from '#web/ui/forms/form-draft.ts';
import { Textarea } from '#web/ui/forms/input.tsx';
import { useRejectAd } from './review-api.ts';

type RejectDialogProps = {
  ad: Submission;
  onClose: () => void;
  onRejected: () => void;
  /** The ad is no longer what the publisher saw. The draft of the reason stays. */
  onRefused: () => void;
};

export function RejectDialog({ ad, onClose, onRejected, onRefused }: RejectDialogProps) {
  const { form, discard } = useDraftForm({
    draft: `reject-${ad.id}`,
    resolver: zodResolver(bodyOf(rejectAd)),
    defaultValues: { rejectionReason: '' },
  });
  const { register, handleSubmit, formState } = form;
  const reject = useRejectAd();
  const submit = handleSubmit((body) =>
    reject.mutate(
      { ad, ...body },
      {
        onSuccess: () => {
          discard();
          onRejected();
        },
        onError: (error) => {
          if (error instanceof RequestError && error.status === 409) onRefused();
          else showFieldIssues(form, error);
        },
      },
    ),
  );

  function cancel() {
    discard();
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={cancel}
      title="Reject Ad"
      description={
        <>
          The advertiser will see your reason and can{' '}
          {ad.variantOf ? 'submit another creative in place of' : 'edit and resubmit'} “<bdi>{ad.title}</bdi>
          ”.
        </>
      }
      footer={
        <>
          <Button variant="secondary" onClick={cancel}>
            Cancel
          </Button>
          <Button variant="destructive" busy={reject.isPending} onClick={submit}>
            Reject Ad
          </Button>
        </>
      }
    >
      <form noValidate onSubmit={submit}>
        <Field label="Reason for rejection" error={formState.errors.rejectionReason?.message}>
          <Textarea maxLength={1000} required {...register('rejectionReason')} />
        </Field>
      </form>
    </Dialog>
  );
}

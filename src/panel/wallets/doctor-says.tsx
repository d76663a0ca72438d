import type { Diagnosis } from '../../chain/pool/doctor/diagnosis';
import { useMessages } from '../layout/current-visit';

/** In the doctor's own words, which are English. */
export function DoctorSays({ diagnosis }: { diagnosis: readonly Diagnosis[] }) {
  const messages = useMessages('wallet');
  if (diagnosis.length === 0) return <p class="notice">{messages.healthy}</p>;
  return (
    <section class="notice attention" aria-label={messages.doctorFound}>
      <strong>{messages.doctorFound}</strong>
      <ul lang="en">
        {diagnosis.map(({ kind, reason, next_step: nextStep }) => (
          <li key={kind}>
            {reason.charAt(0).toUpperCase() + reason.slice(1)}. {nextStep}
          </li>
        ))}
      </ul>
    </section>
  );
}

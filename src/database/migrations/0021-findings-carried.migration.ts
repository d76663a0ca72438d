import { Migration } from '@mikro-orm/migrations';
import { SENTENCE_ROWS } from './0021-finding-sentences';

/** The trigger of 0020 fills in what each row is about. A sentence that is not known stays the only text of its row. */
const CARRY = String.raw`
  with sentences (kind, code, names, pattern, also) as (values
    ${SENTENCE_ROWS})
  update findings f set
    (reason_code, parameters) = (
      select s.code, s.also || coalesce(of_names.parameters, '{}')
        from sentences s
        cross join lateral regexp_match(f.reason, s.pattern) as said
        cross join lateral (
          select jsonb_object_agg(name, case
                   when name = 'orders' then to_jsonb(regexp_split_to_array(value, ', '))
                   when name like '%\_sun' and value ~ '^-?[0-9]+\.[0-9]{6}$'
                     then to_jsonb((value::numeric * 1000000)::numeric(60, 0)::text)
                   else to_jsonb(value) end) as parameters
            from unnest(s.names, said) as g (name, value)
           -- Without names, what is said is the sentence itself.
           where name is not null) of_names
       where s.kind = f.kind and said is not null
       limit 1),
    action_code = case
      when action = 'mended: the hold was released' then 'hold_released'
      when action = 'mended: the hold was taken' then 'hold_taken'
      when action = 'mended: the held amount is the sum of the open holds again' then 'held_corrected'
      when action ~ '^paused: .+ takes no new orders$' then 'wallet_paused' end;
`;

/** By itself, for it takes its time with many findings: it locks their rows alone. */
export class FindingsCarried extends Migration {
  override name = '0021-findings-carried';

  override up(): void {
    this.addSql(CARRY);
  }
}

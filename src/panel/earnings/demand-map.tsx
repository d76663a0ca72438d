import { useMessages } from '../layout/components';
import { averageText, hourText, type WeekOfDemand } from './hours-of-week';

interface Props {
  readonly week: WeekOfDemand;
  readonly timeZone: string;
}

/** A table whose shades only say again what its numbers say. On a phone it stays a table: eight narrow columns. */
export function DemandMap({ week: { rows, busiest }, timeZone }: Props) {
  const messages = useMessages('earnings');
  if (!busiest) {
    return (
      <div class="empty">
        <p>{messages.noDemand}</p>
      </div>
    );
  }
  const name = messages.demand;
  return (
    <>
      <p>
        {messages.busiest(messages.weekdays[busiest.weekday]!, hourText(busiest.hour), averageText(busiest.tenths))}{' '}
        {messages.demandText(timeZone)}
      </p>
      <div class="heat" role="region" tabindex={0} aria-label={name}>
        <table role="table">
          <caption class="heard">{name}</caption>
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col" role="columnheader">
                {messages.hour}
              </th>
              {messages.weekdays.map((weekday) => (
                <th key={weekday} scope="col" role="columnheader" class="number">
                  {weekday}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((cells, hour) => (
              <tr key={hour} role="row">
                <th scope="row" role="rowheader">
                  {hourText(hour)}
                </th>
                {cells.map((cell) => (
                  <td key={cell.weekday} role="cell" class={`number heat-${cell.shade}`}>
                    {cell === busiest ? <strong>{averageText(cell.tenths)}</strong> : averageText(cell.tenths)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

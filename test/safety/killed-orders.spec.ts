import { CRASH_POINTS } from '../../config/crash-point';
import { killAtEach } from './kill-at-each';

describe('a process that is killed with orders under way', () => {
  killAtEach(CRASH_POINTS.filter((point) => !/reclaim|event|webhook|stake|deposit|sweep/.test(point)));
});

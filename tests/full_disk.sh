# A run whose store lies on a disk of a few hundred kilobytes: it fails, gets room, and is resumed.
# Used by tests/chaos.py: full_disk.sh PYTHON FOLDER KILOBYTES; ends with 77 where nothing can be mounted.
python=$1 place=$2 size=$3
mount -t tmpfs -o "size=${size}k" chaos "$place" 2>/dev/null || exit 77
data=$place.jsonl
i=0
while [ $i -lt 2500 ]; do
  echo "{\"id\": \"$i\", \"response\": \"Answer $i, which is long enough to need some room in a store. $i$i$i$i\"}" >>"$data"
  i=$((i + 1))
done
run() { "$python" -m assay run "$data" -m text.safety --run run --store "$place/s.db" --batch-size 20 -q "$@"; }
run >/dev/null 2>"$place.err"
code=$?
grep -q Traceback "$place.err" && { cat "$place.err"; exit 1; }
[ $code -eq 0 ] && { echo "the disk did not fill up"; exit 1; }
mount -o remount,size=64m "$place" || exit 77
run --resume >/dev/null || { echo "it could not be resumed"; exit 1; }
"$python" - "$place/s.db" <<'PYTHON'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
found = [store.execute(query).fetchone()[0] for query in (
    "SELECT count(*) FROM test_results",
    "SELECT count(DISTINCT test_name) FROM test_results",
    "SELECT sum(total) FROM test_rollups WHERE tag = ''",
    "PRAGMA integrity_check",
)]
sys.exit(0 if found == [2500, 2500, 2500, "ok"] else f"found {found}")
PYTHON

import { useCallback, useEffect, useState } from "react";
import { ask, change, failure } from "../graphql/ask";
import type { Failure } from "../graphql/client";
import { NameVersion, type VersionLine, VersionText, type VersionTextData } from "../graphql/generated";
import { Moment } from "../ui/Moment";
import { NameDialog } from "../ui/NameDialog";
import { Failed, Loading, Missing } from "../ui/states";
import style from "./history.module.css";
import { titleOf } from "./index";
import { Reading } from "./Reading";
import { RestoreDialog } from "./RestoreDialog";
import type { TreeNode } from "./tree";

type Props = { documentId: string; number: number; line: VersionLine | undefined; mayRestore: boolean };

/** The text of a version, with what gives it a name or brings it back. `line` is what the list tells of it by now. */
export function VersionView({ documentId, number, line, mayRestore }: Props) {
  const [found, setFound] = useState<VersionTextData | null>(null);
  const [fault, setFault] = useState<Failure | null>(null);
  const [isNaming, setNaming] = useState(false);
  const [isRestoring, setRestoring] = useState(false);

  const load = useCallback(() => {
    setFault(null);
    ask(VersionText, { id: documentId, number })
      .then(setFound)
      .catch((thrown) => setFault(failure(thrown)));
  }, [documentId, number]);
  useEffect(load, [load]);

  if (fault) return <Failed failure={fault} retry={load} />;
  if (!found) return <Loading />;
  if (!found.documentVersion) return <Missing />;
  const version = line ?? found.documentVersion;

  return (
    <>
      <h2 id="shown">{titleOf(version)}</h2>
      <p className={style.faint}>
        <Moment at={version.createdAt} isExact />
      </p>
      {mayRestore && (
        <p className={style.buttons}>
          <button type="button" onClick={() => setRestoring(true)}>
            Restore…
          </button>
          <button type="button" className="quiet" onClick={() => setNaming(true)}>
            Name…
          </button>
        </p>
      )}
      <Reading root={found.documentVersion.prosemirrorDoc as TreeNode} />
      {isRestoring && (
        <RestoreDialog
          documentId={documentId}
          number={number}
          title={titleOf(version)}
          close={() => setRestoring(false)}
        />
      )}
      {isNaming && (
        <NameDialog
          close={() => setNaming(false)}
          naming={{
            title: `Name version ${number}`,
            verb: "Name",
            name: version.name ?? "",
            give: async (name) => void (await change(NameVersion, { documentId, number, name })),
          }}
        />
      )}
    </>
  );
}

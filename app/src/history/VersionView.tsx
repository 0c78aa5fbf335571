import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ask } from "../graphql/ask";
import { NameVersion, VersionText } from "../graphql/generated";
import { answer, usePages } from "../graphql/queries";
import { t } from "../messages/messages";
import { Moment } from "../ui/Moment";
import { NameDialog } from "../ui/NameDialog";
import { Failed, Loading, Missing } from "../ui/states";
import style from "./history.module.css";
import { Reading } from "./Reading";
import { RestoreDialog } from "./RestoreDialog";
import type { TreeNode } from "./tree";
import { titleOf, versionsOf } from "./versions";

type Props = { documentId: string; number: number; mayRestore: boolean };

/** The text of a version, with what gives it a name or brings it back. */
export function VersionView({ documentId, number, mayRestore }: Props) {
  const listed = usePages(versionsOf(documentId)).entries?.find((each) => each.number === number);
  const {
    data: found,
    error,
    refetch,
  } = useQuery(
    answer(["version", documentId, number], (signal) => ask(VersionText, { id: documentId, number }, signal)),
  );
  const [isNaming, setNaming] = useState(false);
  const [isRestoring, setRestoring] = useState(false);

  if (error) return <Failed failure={error.failure} retry={() => void refetch()} />;
  if (!found) return <Loading />;
  if (!found.documentVersion) return <Missing />;
  const version = listed ?? found.documentVersion;

  return (
    <>
      <div className={style.shown}>
        <div>
          <h2 className={style.title}>{titleOf(version)}</h2>
          <p className={style.faint}>
            <Moment at={version.createdAt} isExact />
          </p>
        </div>
        <p className={style.buttons}>
          {mayRestore && (
            <>
              <button type="button" onClick={() => setRestoring(true)}>
                {t.history.openRestore}
              </button>
              <button type="button" className="quiet" onClick={() => setNaming(true)}>
                {t.history.openName}
              </button>
            </>
          )}
          <Link to="/doc/$documentId" params={{ documentId }} search={{ panel: "versions" }}>
            {t.history.back}
          </Link>
        </p>
      </div>
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
            title: t.history.nameVersion(number),
            verb: t.history.nameVerb,
            name: version.name ?? "",
            give: async (name) => void (await ask(NameVersion, { documentId, number, name })),
          }}
        />
      )}
    </>
  );
}
